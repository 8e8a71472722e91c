import { crc32 } from 'node:zlib';
import type { DailyAggregates } from '#domain/weather/summaries/daily-aggregate.js';
import { type FieldLayout, layoutOf } from '#domain/weather/summaries/layout.js';
import { variableNumbered } from '#domain/weather/variables.js';
import { aligned, type BlobKey, ENVELOPE, FORMAT_VERSION, seal } from './blob.js';
import { encodingOf, FLOAT, widthOf, writeColumn } from './fixed/fixed-columns.js';

/**
 * The format of daily aggregates, which are the statistics of the days of one month of one station. The content follows the
 * envelope (blob.ts). Terms in the table below:
 *
 * - Sums: all statistics of the days of one variable. Examples are the count, the minimum and the time of the minimum.
 * - Computation rules: the version (`COMPUTATION_RULES`) of the rules by which the sums were computed.
 * - Unusual method: the values of the variable have another cell method (such as point or interval) than the catalogue names.
 * - Cells: a field that has several numbers for each day, such as the amounts of rain in the hours of the day.
 *
 * All numbers are little-endian, and each part is padded to a multiple of 8 bytes:
 *
 *     part        bytes            content
 *     header      24               u32 days, u32 variables, u32 reporting interval in s (0: unknown), u32 computation rules,
 *                                  u32 number of unusual methods, u32 position (position-code.ts)
 *     variables   16 a variable    u16 variable, u8 encoding of each `value` and `cells` field (six), u32 bytes of its sums,
 *                                  u32 ms between routine reports (0: unknown, or not needed)
 *     methods     2 a variable     u16 number of a variable with an unusual method
 *     sums                         for each variable, the fields of its layout (layout.ts):
 *       count     4 a day          u32
 *       sum       8 a day          f64
 *       value     2, 4 or 8 a day  like a column of a chunk (fixed-columns.ts); no bytes for encoding 255, which has no values
 *       time      4 a day          u32 milliseconds since the start of the month; all bits set for no value
 *       length    4 a day          u32 milliseconds; all bits set for an unknown length
 *       cells     4 a day          u32 bit of each cell that is not 0
 *                 2, 4 or 8 a cell like `value`, for these cells
 *
 * Older versions lack some of these parts:
 *
 * - Version 2: the header has 16 bytes. It has no computation rules (their version is 1) and no number of unusual methods. There
 *   are no intervals between routine reports, and the part `methods` is missing.
 * - Version 1: the header has 8 bytes (days, variables). In the part `variables`, each variable has 4 bytes (number, two
 *   encodings). Of the fields of the sums, only the first six of the layout are stored.
 */
/** Bytes by format version. */
export const SIZES = {
  1: { header: 8, variable: 4 },
  2: { header: 16, variable: 16 },
  3: { header: 24, variable: 16 },
} as const;
/**
 * `VERSION_OFFSET` is the offset of the format version in a blob. `RULES_OFFSET` is the offset of the version of the computation
 * rules (`COMPUTATION_RULES`) by which the daily aggregates were computed. Databases use both offsets to find outdated daily
 * aggregates.
 */
export const VERSION_OFFSET = 4;
export const RULES_OFFSET = ENVELOPE + 12;
/**
 * The four bytes at `VERSION_OFFSET` in a blob of the current format version. `rulesMark` returns the four bytes at
 * `RULES_OFFSET` for a version of the computation rules.
 */
export const VERSION_MARK = uint32Bytes(FORMAT_VERSION);
export const rulesMark = uint32Bytes;
/** Number of bytes for the encodings of the fields of one variable. No variable has more fields with a stored encoding. */
export const MAX_ENCODINGS = 6;
/** The encoding of a column without any values, which has no bytes. */
export const ABSENT = 255;
/**
 * Whether the encoding of a field is stored. It is stored only for fields of the kinds `value` and `cells`. The other kinds
 * always have the same encoding: a count, for example, always has 4 bytes.
 */
export const hasEncoding = ({ kind }: FieldLayout) => kind === 'value' || kind === 'cells';

/** The key of daily aggregates. */
export interface DailyAggregatesKey {
  /** Number of the station. */
  readonly station: number;
  /** Start of the month (included), in milliseconds since 1970-01-01T00:00:00Z. */
  readonly start: number;
  /** End of the month (not included), in milliseconds since 1970-01-01T00:00:00Z. */
  readonly end: number;
  /** Name of the time zone of the days. */
  readonly zone: string;
}

/** Converts the key of daily aggregates to numbers, which the checksum of their blob includes (blob.ts). */
export function keyOfTable({ station, start, end, zone }: DailyAggregatesKey): BlobKey {
  return [station, start, end, crc32(zone)];
}

/** An absent time. */
export const NONE = 0xff_ff_ff_ff;

/**
 * Encodes the daily aggregates of a month.
 *
 * @param month the station, the month and the time zone of the daily aggregates. `month.start` must be equal to `table.start`
 */
export function encodeDailyAggregates(month: DailyAggregatesKey, table: DailyAggregates): Buffer {
  const { start } = month;
  const { days, reportingInterval, rules, unusualMethods, positionCode, routine, sums } = table;
  const columns = [...sums].map(([variable, fields]) => {
    const layout = layoutOf(variableNumbered(variable));
    const encodings = layout.map((field, index) =>
      hasEncoding(field) ? encodingFor(knownIn(field, fields[index] as Float64Array)) : 0,
    );
    const sizes = layout.map((field, index) =>
      field.kind === 'cells'
        ? sizeOfCells(knownIn(field, fields[index] as Float64Array), encodings[index] ?? 0, days)
        : sizeOf(field.kind, encodings[index] ?? 0, days),
    );
    return { variable, fields, layout, encodings, sizes };
  });
  const { header, variable: entrySize } = SIZES[3];
  const methods = header + columns.length * entrySize;
  const begin = methods + aligned(unusualMethods.length * 2);
  const size = columns.reduce((sum, { sizes }) => sum + total(sizes), begin);
  const data = new ArrayBuffer(ENVELOPE + size);
  const view = new DataView(data, ENVELOPE);
  view.setUint32(0, days, true);
  view.setUint32(4, columns.length, true);
  view.setUint32(8, reportingInterval ?? 0, true);
  view.setUint32(12, rules, true);
  view.setUint32(16, unusualMethods.length, true);
  view.setUint32(20, positionCode, true);
  for (const [place, variable] of unusualMethods.entries())
    view.setUint16(methods + place * 2, variable, true);
  let at = ENVELOPE + begin;
  for (const [index, { variable, fields, layout, encodings, sizes }] of columns.entries()) {
    const entry = header + index * entrySize;
    view.setUint16(entry, variable, true);
    const ofValues = encodings.filter((_, field) => hasEncoding(layout[field] as FieldLayout));
    for (const [place, encoding] of ofValues.entries()) view.setUint8(entry + 2 + place, encoding);
    view.setUint32(entry + 8, total(sizes), true);
    view.setUint32(entry + 12, routine.get(variable) ?? 0, true);
    for (const [number, field] of layout.entries()) {
      write(field, fields[number] as Float64Array, encodings[number] ?? 0, start, data, at);
      at += sizes[number] as number;
    }
  }
  return seal('days', keyOfTable(month), data);
}

export const total = (sizes: readonly number[]) => sizes.reduce((sum, size) => sum + size, 0);

function uint32Bytes(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** The number of bytes of a field of any kind except `cells`. */
export function sizeOf(kind: FieldLayout['kind'], encoding: number, days: number): number {
  if (kind === 'value') return encoding === ABSENT ? 0 : aligned(days * widthOf(encoding));
  return aligned(days * (kind === 'sum' ? 8 : 4));
}

function sizeOfCells(values: Float64Array, encoding: number, days: number): number {
  return aligned(days * 4) + sizeOf('value', encoding, values.length);
}

const encodingFor = (column: Float64Array) => (column.every(Number.isNaN) ? ABSENT : encodingOf(column));

/**
 * Returns the values of a field as they are stored. For a field of the kind `cells`, these are only the values other than 0. A
 * minimum or maximum of a day without values is infinite in `field`, and is replaced by NaN.
 */
function knownIn({ kind, empty }: FieldLayout, field: Float64Array): Float64Array {
  if (kind === 'cells') return field.filter((value) => value !== 0);
  return Number.isNaN(empty) ? field : field.map((value) => (Number.isFinite(value) ? value : Number.NaN));
}

function write(
  layout: FieldLayout,
  field: Float64Array,
  encoding: number,
  start: number,
  data: ArrayBuffer,
  at: number,
): void {
  const { kind, cells = 1 } = layout;
  if (kind === 'value' && encoding === ABSENT) return;
  if (kind === 'value') return writeColumn(knownIn(layout, field), encoding, data, at);
  if (kind === 'sum') return writeColumn(field, FLOAT, data, at);
  const target = new Uint32Array(data, at, field.length / cells);
  if (kind === 'count') return target.set(field);
  if (kind === 'cells') {
    markCells(cells, field, target);
    if (encoding !== ABSENT)
      writeColumn(knownIn(layout, field), encoding, data, at + aligned(target.length * 4));
    return;
  }
  const zero = kind === 'time' ? start : 0;
  for (const [day, time] of field.entries()) target[day] = Number.isNaN(time) ? NONE : time - zero;
}

/**
 * Marks the cells that are not 0. The cells of a day are the group of numbers that the field has for this day, such as the
 * amounts of rain in the hours of the day. `masks` has an integer for each day, in which each cell has one bit. The bit is set if
 * the cell is not 0.
 *
 * @param cells number of cells of a day
 */
function markCells(cells: number, field: Float64Array, masks: Uint32Array): void {
  for (const [index, value] of field.entries()) {
    if (value === 0) continue;
    const day = Math.floor(index / cells);
    masks[day] = ((masks[day] as number) | (1 << (index % cells))) >>> 0;
  }
}
