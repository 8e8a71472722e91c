import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { CellChanges, StationCells } from '#domain/weather/undo/cell-changes.js';
import { copySeriesRows, emptySeries, type GrowingSeries } from '#domain/weather/merge-series.js';
import type { Series } from '#domain/weather/series.js';
import { aligned, DamagedBlobError, ENVELOPE, seal, unseal } from './blob.js';
import { hasValue } from './chunk-codec.js';
import { encodingOf, FLOAT, readColumn, widthOf, writeColumn } from './fixed/fixed-columns.js';

/**
 * A journal entry: the values that one commit of an import changed, and the values before the change. The content after the
 * envelope (blob.ts) is compressed with DEFLATE (RFC 1951). All numbers are little-endian, and each part is padded to a
 * multiple of 8 bytes:
 *
 *     part        bytes         content
 *     header      16            u32 stations, u32 rows, u32 columns of written values, u32 columns of previous values
 *     stations    4 a station   u32 station numbers
 *                 4 a station   u32 first row of each station
 *     columns     2 a column    u8 variable, u8 encoding; the columns of written values first
 *     times       8 a row       f64 milliseconds since the previous row; for the first row since 1970-01-01T00:00:00Z
 *     values                    values of each column, as in a chunk (fixed-columns.ts)
 *
 * Times are differences, because the differences of a station are usually equal and compress well.
 */
const HEADER = 16;
/** The fastest level of compression. Higher levels would save a tenth of the space and take three times as long. */
const LEVEL = 1;

/**
 * The part of one station in a journal entry: the values (cells) that a commit of an import changed. The rows from `from` to `to`
 * (not included) of `after` have the written values. The same rows of `before` have the values that were replaced. The parts of
 * several stations may have the same `after`, each with other rows of it.
 */
export interface JournalPart {
  readonly station: number;
  /** The written values. */
  readonly after: Series;
  /** The values before the change, in the same rows as in `after`; undefined if none of the changed cells had a value before. */
  readonly before: Series | undefined;
  readonly from: number;
  readonly to: number;
}

/**
 * Converts changes of one station to a part of a journal entry (the values that one commit of an import changed). The part
 * contains every row of the changes.
 */
export function journalPart(station: number, { times, after, before }: CellChanges): JournalPart {
  const toSeries = (values: Series['values']): Series => ({ times, values, flags: new Map() });
  return {
    station,
    after: toSeries(after),
    before: before.size === 0 ? undefined : toSeries(before),
    from: 0,
    to: times.length,
  };
}

/**
 * Encodes a journal entry: the values that one commit of an import changed, and the values before the change.
 *
 * @param number number of the import
 * @param parts at least one part, with rows in each part, in rising order of stations. A station may have several parts
 */
export function encodeJournal(number: number, parts: readonly JournalPart[]): Buffer {
  const { rows, places, after, before } = joinParts(parts);
  const encode = ({ values }: Series) =>
    [...values]
      .filter(([, column]) => hasValue(column))
      .map(([variable, column]) => ({ variable, column, encoding: encodingOf(column) }));
  const [written, replaced] = [encode(after), encode(before)];
  const columns = [...written, ...replaced];
  const listSize = aligned(places.length * 4);
  const columnsAt = HEADER + 2 * listSize;
  const timesAt = columnsAt + aligned(columns.length * 2);
  const sizes = columns.map(({ encoding }) => aligned(rows * widthOf(encoding)));
  const data = new ArrayBuffer(timesAt + rows * 8 + sizes.reduce((sum, size) => sum + size, 0));
  new Uint32Array(data, 0, 4).set([places.length, rows, written.length, replaced.length]);
  new Uint32Array(data, HEADER, places.length).set(places.map(({ station }) => station));
  new Uint32Array(data, HEADER + listSize, places.length).set(places.map(({ first }) => first));
  new Uint8Array(data, columnsAt).set(columns.flatMap(({ variable, encoding }) => [variable, encoding]));
  const steps = new Float64Array(data, timesAt, rows);
  for (let row = 0; row < rows; row += 1)
    steps[row] = (after.times[row] as number) - (row === 0 ? 0 : (after.times[row - 1] as number));
  let at = timesAt + rows * 8;
  for (const [index, { column, encoding }] of columns.entries()) {
    writeColumn(column, encoding, data, at);
    at += sizes[index] as number;
  }
  const packed = deflateRawSync(new Uint8Array(data), { level: LEVEL });
  const blob = new ArrayBuffer(ENVELOPE + packed.length);
  new Uint8Array(blob).set(packed, ENVELOPE);
  return seal('journal', [number], blob);
}

/**
 * Decodes a journal entry: the values that one commit of an import changed, and the values before the change.
 *
 * @param number number of the import
 * @throws DamagedBlobError
 */
export function decodeJournal(number: number, blob: Buffer): StationCells[] {
  const { version, content, isValid } = unseal('journal', [number], blob);
  if (version === 0 || !isValid) throw new DamagedBlobError('its checksum is wrong');
  // The checksum is correct, so that the content needs no further tests.
  const unpacked = inflateRawSync(content);
  const data = unpacked.buffer.slice(unpacked.byteOffset, unpacked.byteOffset + unpacked.length);
  const [stations = 0, rows = 0, written = 0, replaced = 0] = new Uint32Array(data, 0, 4);
  const listSize = aligned(stations * 4);
  const numbers = new Uint32Array(data, HEADER, stations);
  const firsts = new Uint32Array(data, HEADER + listSize, stations);
  const columnsAt = HEADER + 2 * listSize;
  const columns = new Uint8Array(data, columnsAt, (written + replaced) * 2);
  let at = columnsAt + aligned(columns.length);
  const times = new Float64Array(data, at, rows);
  for (let row = 1; row < rows; row += 1) (times[row] as number) += times[row - 1] as number;
  at += rows * 8;
  const after = new Map<number, Float64Array>();
  const before = new Map<number, Float64Array>();
  for (let index = 0; index < written + replaced; index += 1) {
    const [variable, encoding] = [columns[index * 2] as number, columns[index * 2 + 1] as number];
    if (encoding > FLOAT) throw new DamagedBlobError(`a column has the encoding ${encoding}`);
    const column = new Float64Array(rows);
    readColumn(data, at, encoding, 0, rows, column, 0);
    (index < written ? after : before).set(variable, column);
    at += aligned(rows * widthOf(encoding));
  }
  return Array.from(numbers, (station, index): StationCells => {
    const [from, to] = [firsts[index] as number, firsts[index + 1] ?? rows];
    const slice = (values: ReadonlyMap<number, Float64Array>) =>
      new Map([...values].map(([variable, column]) => [variable, column.subarray(from, to)]));
    return {
      station,
      cells: { times: times.subarray(from, to), after: slice(after), before: slice(before) },
    };
  });
}

interface Joined {
  readonly rows: number;
  readonly places: readonly { readonly station: number; readonly first: number }[];
  readonly after: Series;
  readonly before: Series;
}

/**
 * Joins the parts of a journal entry: copies the rows of all parts into common columns, one part after the other.
 *
 * The written values may be in common columns already: if all parts have the same `after`, and its rows are exactly the rows of
 * the parts. The result then contains this `after` itself, and only the previous values are copied.
 */
function joinParts(parts: readonly JournalPart[]): Joined {
  const rows = parts.reduce((sum, { from, to }) => sum + to - from, 0);
  const places: { station: number; first: number }[] = [];
  const before: GrowingSeries = emptySeries(rows);
  const joined: GrowingSeries = emptySeries(rows);
  const whole = (parts[0] as JournalPart).after;
  const isWhole = whole.times.length === rows && parts.every(({ after }) => after === whole);
  let first = 0;
  for (const { station, after, before: replaced, from, to } of parts) {
    places.push({ station, first });
    if (!isWhole) copySeriesRows(after, from, to, joined, first);
    if (replaced !== undefined) copySeriesRows(replaced, from, to, before, first);
    first += to - from;
  }
  return { rows, places, after: isWhole ? whole : joined, before };
}
