import { quoted } from '#domain/quoted.js';
import { degreesOfPoint, isDirectionCode } from '#domain/weather/summaries/sectors.js';
import { isDirection } from '#domain/weather/variables.js';
import type { RainCounter, Reading, UploadField } from '#domain/uploads/upload.js';
import { leavesOf, numberOf, documentText, documentValue } from './document.js';
import type { MessageTimes } from './mapping-times.js';
import type { MappedField, ReadingMapping, SourceMapping } from './mapping.js';

/**
 * The values of one record, read by the mapping, which says what each field means. A record is one object with names and values
 * in a message; a message with a JSON list has several records.
 */
export interface MappedRecord {
  /** Milliseconds since 1970-01-01T00:00:00Z; undefined if the record has no time, so that the time of receipt is used. */
  readonly time: number | undefined;
  /**
   * Readings by the id of their station. Readings of fields that name no station have the key undefined; they belong to the
   * station that is known for the whole message. A station has each variable at most once.
   */
  readonly readings: ReadonlyMap<string | undefined, readonly Reading[]>;
  readonly counters: readonly RainCounter[];
  /** Seconds since the start of the device. */
  readonly runtime: number | undefined;
  /** Numbers and texts that the mapping does not mention, at most 64. */
  readonly fields: readonly UploadField[];
  /**
   * Values that could not be read, each with its path: `temp: "warm" is not a number`. The other values of the record are still
   * read.
   */
  readonly faults: readonly string[];
}

/**
 * Maps one record: finds the time, the readings and the counters in it. Absent values are omitted, and so are the numbers and
 * texts that mean an absent value (`SourceMapping.missing`).
 *
 * @param source the entry of the mapping file for messages of this kind
 * @param format parses the time of the record; undefined if the messages have no times
 * @param receivedAt decides between the two instants of a local time that occurs twice
 * @returns the mapped record; or, if its time cannot be read, the reason as text. Such a record must not be stored
 */
export function mapRecord(
  source: SourceMapping,
  format: MessageTimes | undefined,
  record: unknown,
  receivedAt: number,
): MappedRecord | string {
  const time = timeOf(source, format, record, receivedAt);
  if (typeof time === 'string') return time;
  const faults: string[] = [];
  const used = new Set([...source.ignored, source.time?.path, source.runtime]);
  const readings = new Map<string | undefined, Reading[]>();
  const filledTargets = new Set<string>();
  const counters: RainCounter[] = [];
  for (const field of source.fields) {
    used.add(field.path);
    const value = valueOf(field, documentValue(record, field.path), source.missing);
    if (value === undefined) continue;
    if (typeof value === 'string') {
      faults.push(`${field.path}: ${value}`);
      continue;
    }
    const target = targetOf(field);
    // This field is skipped, because an earlier field has already given a value for the same quantity.
    if (filledTargets.has(target)) continue;
    if ('rain' in field) {
      const { gauge, rain: period } = field;
      counters.push({ gauge, period, amount: clean(value * field.millimeters) });
    } else {
      const unit = unitOf(field, record, used);
      if (unit === null) {
        faults.push(`${field.path}: the mapping has no unit for the text at ${unitPath(field)}`);
        continue;
      }
      const own = readings.get(field.station) ?? [];
      own.push(readingOf(field, unit, value));
      readings.set(field.station, own);
    }
    filledTargets.add(target);
  }
  const runtime =
    source.runtime === undefined
      ? undefined
      : numberOf(documentValue(record, source.runtime), source.missing);
  return {
    time,
    readings,
    counters,
    runtime: typeof runtime === 'number' ? runtime : undefined,
    fields: leavesOf(record).filter(({ name }) => !used.has(name)),
    faults,
  };
}

/**
 * The text that identifies the sender of a record, such as `house/42`. Each name in `from` is a capture, which is a part of the
 * topic, or a path in the record. Their texts are joined with `/`. Undefined if one of the texts is absent.
 */
export function mappedSenderOf(
  from: readonly string[],
  captures: ReadonlyMap<string, string>,
  record: unknown,
): string | undefined {
  const parts = from.map((name) => captures.get(name) ?? documentText(documentValue(record, name)));
  return parts.includes(undefined) ? undefined : parts.join('/');
}

/**
 * Reads a value like `numberOf`. For a direction, the codes 990 and 999 become undefined, because they mean an absent direction.
 * A direction may also be a compass point (`NNE`), if its field has neither a `scale` nor an `offset`.
 */
function valueOf(
  field: MappedField,
  value: unknown,
  missing: readonly string[],
): ReturnType<typeof numberOf> {
  const number = numberOf(value, missing);
  if ('rain' in field || !isDirection(field.variable)) return number;
  if (typeof number === 'number') return isDirectionCode(number) ? undefined : number;
  if (number === undefined || field.scale !== 1 || field.offset !== 0) return number;
  const text = documentText(value)?.trim() ?? '';
  return missing.includes(text) ? undefined : (degreesOfPoint(text) ?? number);
}

/**
 * A text for what a field measures: the variable and the station, or the rain gauge and the period of its counter. If two fields
 * have the same text, only the first of them that has a value is used.
 */
function targetOf(field: MappedField): string {
  if ('rain' in field) return `${field.gauge} ${field.rain}`;
  return `${field.variable} ${field.station ?? ''}`;
}

function readingOf(field: ReadingMapping, unit: string | undefined, value: number): Reading {
  const { path, variable, scale, offset, isCounter } = field;
  return {
    field: path,
    variable,
    ...(unit !== undefined && { unit }),
    value: scale === 1 && offset === 0 ? value : clean(value * scale + offset),
    ...(isCounter && { counter: true }),
  };
}

/**
 * The unit of a field: the unit in the mapping, or the unit that the record itself names.
 *
 * @returns undefined if the mapping has no unit; null if the record must name the unit, but names no unit or an unknown unit
 */
function unitOf(
  { unit }: ReadingMapping,
  record: unknown,
  used: Set<string | undefined>,
): string | undefined | null {
  if (unit === undefined || typeof unit === 'string') return unit;
  used.add(unit.path);
  return unit.units.get(documentText(documentValue(record, unit.path)) ?? '') ?? null;
}

function unitPath({ unit }: ReadingMapping): string {
  return typeof unit === 'object' ? unit.path : '';
}

/**
 * The time of the record in milliseconds. Undefined means that the time of receipt is used. A text is the reason why the time
 * cannot be read.
 */
function timeOf(
  { time, missing }: SourceMapping,
  format: MessageTimes | undefined,
  record: unknown,
  receivedAt: number,
): number | undefined | string {
  if (time === undefined || format === undefined) return undefined;
  const sent = documentText(documentValue(record, time.path))?.trim();
  if (sent === undefined || sent === '' || missing.includes(sent))
    return time.isOptional ? undefined : `${time.path}: the record has no time`;
  // Some firmware writes blanks after colons: `2024-09-23 10: 36: 28`.
  const text = sent.replace(/:\s+/g, ':');
  const instants = format.instants(text);
  if (instants.length === 0)
    return time.isOptional ? undefined : `${time.path}: ${format.fault(text, quoted(sent))}`;
  const distance = (instant: number) => Math.abs(instant - receivedAt);
  return instants.reduce((nearest, instant) => (distance(instant) < distance(nearest) ? instant : nearest));
}

/** Rounding to 12 digits removes the error of the calculation: 0.1 × 3 is 0.3. */
function clean(value: number): number {
  return Number(value.toPrecision(12));
}
