import { TemporalCalendar } from '#adapters/calendar-temporal/temporal-calendar.js';
import { Mapper } from '#adapters/formats/mapping/mapper.js';
import { readMapping } from '#adapters/formats/mapping/read-mapping.js';

const calendar = new TemporalCalendar();

/** The faults of a mapping file. */
export function mappingFaults(content: unknown): readonly string[] {
  const result = readMapping(content, (zone) => calendar.hasZone(zone));
  return 'faults' in result ? result.faults : [];
}

/**
 * Creates a mapper, which reads values from messages, with the entries of the list `sources` of a mapping file.
 *
 * @throws Error with the faults of the mapping
 */
export function mapperOf(...sources: readonly object[]): Mapper {
  const result = readMapping({ sources }, (zone) => calendar.hasZone(zone));
  if ('faults' in result) throw new Error(result.faults.join('\n'));
  return new Mapper(result.mapping, calendar);
}
