import type { DayTable } from '../../../domain/weather/summaries/day-table.js';
import { variableNumbered } from '../../../domain/weather/variables.js';
import { aligned, DamagedBlobError, ENVELOPE, seal, unseal } from './blob.js';
import { encodingOf, FLOAT, readColumn, widthOf, writeColumn } from './fixed/fixed-columns.js';

/**
 * A day table: the sums of the days of a month of one station. This content follows the envelope (blob.ts). All numbers are
 * little-endian, and each part is padded to a multiple of 8 bytes:
 *
 *     part        bytes            content
 *     header      8                u32 days, u32 variables
 *     variables   4 a variable     u16 variable, u8 encoding of the minima, u8 encoding of the maxima
 *     sums                         of each variable, by the kind of its mean:
 *       counts    4 a day          u32 number of values
 *       sums      8 a day          f64
 *       minima    2, 4 or 8 a day  as a column of a chunk (column-codec.ts)
 *       … times   4 a day          u32 milliseconds since the start of the table; all bits set for no value
 *       maxima    2, 4 or 8 a day
 *       … times   4 a day
 *     or, of a direction:
 *       counts    4 a day          u32 number of directions with a speed
 *       east      8 a day          f64 component of the sum of the vectors
 *       north     8 a day          f64
 *       …                          the same for directions without a speed
 */
const HEADER = 8;
const VARIABLE = 4;
const NO_TIME = 0xff_ff_ff_ff;

type Fields = readonly Float64Array[];

export function encodeDayTable({ start, days, sums }: DayTable): Buffer {
  const parts = [...sums].map(([variable, fields]) => {
    const isSum = !isDirection(variable);
    const encodings = isSum
      ? [fields[2], fields[4]].map((field) => encodingOf(valuesOf(field as Float64Array)))
      : [0, 0];
    return {
      variable,
      fields,
      encodings: encodings as [number, number],
      layout: layoutOf(variable, encodings, days),
    };
  });
  const listSize = aligned(parts.length * VARIABLE);
  const size = parts.reduce((sum, { layout }) => sum + layout.reduce((all, { bytes }) => all + bytes, 0), 0);
  const data = new ArrayBuffer(ENVELOPE + HEADER + listSize + size);
  const view = new DataView(data, ENVELOPE);
  view.setUint32(0, days, true);
  view.setUint32(4, parts.length, true);
  let at = HEADER + listSize;
  for (const [index, { variable, fields, encodings, layout }] of parts.entries()) {
    const place = HEADER + index * VARIABLE;
    view.setUint16(place, variable, true);
    view.setUint8(place + 2, encodings[0]);
    view.setUint8(place + 3, encodings[1]);
    for (const [number, { kind, bytes }] of layout.entries()) {
      write(kind, fields[number] as Float64Array, start, data, ENVELOPE + at);
      at += bytes;
    }
  }
  return seal('days', data);
}

/**
 * @param variables numbers; undefined means all
 * @throws DamagedBlobError
 */
export function decodeDayTable(
  blob: Buffer,
  start: number,
  end: number,
  variables: ReadonlySet<number> | undefined,
): DayTable {
  const { version, content, isSound } = unseal('days', blob);
  if (version === 0) throw new DamagedBlobError('it is no day table');
  if (!isSound) throw new DamagedBlobError('its checksum is wrong');
  const view = new DataView(content.buffer, content.byteOffset, content.length);
  const [days, count] = [view.getUint32(0, true), view.getUint32(4, true)];
  const sums = new Map<number, Fields>();
  let at = content.byteOffset + HEADER + aligned(count * VARIABLE);
  for (let index = 0; index < count; index += 1) {
    const place = HEADER + index * VARIABLE;
    const variable = view.getUint16(place, true);
    const encodings = [view.getUint8(place + 2), view.getUint8(place + 3)];
    const layout = layoutOf(variable, encodings, days);
    const isWanted = variables?.has(variable) !== false;
    const fields: Float64Array[] = [];
    for (const { kind, bytes } of layout) {
      if (isWanted) fields.push(read(kind, start, content.buffer, at, days));
      at += bytes;
    }
    if (isWanted) sums.set(variable, isDirection(variable) ? fields : withoutValues(fields));
  }
  return { start, end, days, sums };
}

/** As `decodeDayTable`. @returns undefined for a damaged table, which is made again from the rows */
export function openDayTable(...parameters: Parameters<typeof decodeDayTable>): DayTable | undefined {
  try {
    return decodeDayTable(...parameters);
  } catch (error) {
    if (error instanceof DamagedBlobError) return undefined;
    throw error;
  }
}

type Kind = 'count' | 'sum' | 'time' | { readonly encoding: number };

/** The parts of the sums of a variable, in the order of the fields of `Accumulator` or `DirectionMean`. */
function layoutOf(variable: number, encodings: readonly number[], days: number) {
  const [minima = 0, maxima = 0] = encodings;
  const kinds: readonly Kind[] = isDirection(variable)
    ? ['count', 'sum', 'sum', 'count', 'sum', 'sum']
    : ['count', 'sum', { encoding: minima }, 'time', { encoding: maxima }, 'time'];
  return kinds.map((kind) => ({ kind, bytes: aligned(days * bytesOf(kind)) }));
}

function bytesOf(kind: Kind): number {
  if (typeof kind === 'object') return widthOf(kind.encoding);
  return kind === 'sum' ? 8 : 4;
}

function isDirection(variable: number): boolean {
  return variableNumbered(variable).aggregation === 'direction';
}

/** Minima and maxima of days without values are infinite; they are stored as absent. */
function valuesOf(field: Float64Array): Float64Array {
  return field.map((value) => (Number.isFinite(value) ? value : Number.NaN));
}

function withoutValues(fields: readonly Float64Array[]): Fields {
  const absent = (field: Float64Array, value: number) =>
    field.map((one) => (Number.isNaN(one) ? value : one));
  return fields.map((field, index) => {
    if (index === 2) return absent(field, Infinity);
    return index === 4 ? absent(field, -Infinity) : field;
  });
}

function write(kind: Kind, field: Float64Array, start: number, data: ArrayBuffer, at: number): void {
  if (typeof kind === 'object') return writeColumn(valuesOf(field), kind.encoding, data, at);
  if (kind === 'sum') return writeColumn(field, FLOAT, data, at);
  const target = new Uint32Array(data, at, field.length);
  if (kind === 'count') return target.set(field);
  for (const [day, time] of field.entries()) target[day] = Number.isNaN(time) ? NO_TIME : time - start;
}

function read(kind: Kind, start: number, data: ArrayBuffer, at: number, days: number): Float64Array {
  const field = new Float64Array(days);
  if (typeof kind === 'object' || kind === 'sum') {
    readColumn(data, at, kind === 'sum' ? FLOAT : kind.encoding, 0, days, field, 0);
    return field;
  }
  const source = new Uint32Array(data, at, days);
  if (kind === 'count') field.set(source);
  else
    for (const [day, offset] of source.entries())
      field[day] = offset === NO_TIME ? Number.NaN : start + offset;
  return field;
}
