import type { FileRecord, FileSource } from '../files/file-plan.js';
import { fileRecords } from '../tables/file-records.js';
import type { ImportFormat } from './import-format.js';
import { say } from '../files/sentences.js';

const LAYOUT = { kind: 'delimited', delimiter: ',', first: 2 } as const;

/**
 * A history that a person has downloaded from Home Assistant: a block of rows for each entity, with one value in each row. The
 * file does not say what an entity measures, so that the user names the variable of the entity with `--map`.
 */
export const homeAssistant: ImportFormat = {
  name: 'home-assistant',
  title: 'Home Assistant, downloaded history',
  recognize(head) {
    const headings = head.fields(1, ',');
    if (headings.slice(0, 3).join() !== 'entity_id,state,last_changed') return undefined;
    const entities = [...new Set(head.lines.slice(1).map((line) => line.split(',', 1)[0] ?? ''))];
    return {
      layout: { kind: 'own', records },
      long: { name: 0, value: 1 },
      time: { at: [2], headings: ['last_changed'], formats: ['iso'], zone: 'utc' },
      columns: entities
        .filter((entity) => entity !== '')
        .map((heading) => ({
          kind: 'left out',
          at: 1,
          heading,
          reason: say('not-mapped-entity', {}),
        })),
      missing: ['unavailable', 'unknown', 'None'],
      notes: [
        'The first row of each entity has the time at which the history begins instead of the time of a measurement. Its value is left out.',
      ],
    };
  },
};

/**
 * Reads the rows. The value of a row whose time is the start of the history is left out, because this time is not the time of a
 * measurement.
 */
async function* records(source: FileSource): AsyncGenerator<readonly FileRecord[]> {
  let [entity, start]: (string | undefined)[] = [];
  for await (const batch of fileRecords(source, LAYOUT)) {
    yield batch.map((record) => {
      const { line, fields } = record;
      const [name, , time] = fields;
      if (name === entity || record.fault !== undefined) return record;
      entity = name;
      start ??= time;
      return time === start ? { line, fields: [name ?? '', '', time ?? ''] } : record;
    });
  }
}
