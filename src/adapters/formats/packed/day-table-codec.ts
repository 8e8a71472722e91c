import type { DayTable, StoredDays } from '../../../domain/weather/summaries/day-table.js';
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

export function encodeDayTable({ start, days, sums }: DayTable): Buffer {
  const columns = [...sums].map(([variable, fields]) => {
    const [minima, maxima] = isDirection(variable)
      ? [0, 0]
      : [encodingFor(fields[2]), encodingFor(fields[4])];
    return { variable, fields, minima, maxima, kinds: kindsOf(variable, minima, maxima) };
  });
  const first = HEADER + aligned(columns.length * VARIABLE);
  const size = columns.reduce((sum, { kinds }) => sum + sizeOf(kinds, days), first);
  const data = new ArrayBuffer(ENVELOPE + size);
  const view = new DataView(data, ENVELOPE);
  view.setUint32(0, days, true);
  view.setUint32(4, columns.length, true);
  let at = ENVELOPE + first;
  for (const [index, { variable, fields, minima, maxima, kinds }] of columns.entries()) {
    const entry = HEADER + index * VARIABLE;
    view.setUint16(entry, variable, true);
    view.setUint8(entry + 2, minima);
    view.setUint8(entry + 3, maxima);
    for (const [number, kind] of kinds.entries()) {
      write(kind, fields[number] as Float64Array, start, data, at);
      at += aligned(days * bytesOf(kind));
    }
  }
  return seal('days', data);
}

const encodingFor = (field: Float64Array | undefined) => encodingOf(valuesOf(field as Float64Array));

/** A day table that has been opened. Sums are decoded when they are copied. */
export class PackedDays implements StoredDays {
  readonly station: number;
  readonly start: number;
  readonly end: number;
  readonly days: number;
  readonly #buffer: ArrayBuffer;
  readonly #columns = new Map<number, PackedColumn>();
  readonly #integers: Uint32Array;
  readonly #floats: Float64Array;

  /** @throws DamagedBlobError */
  constructor(station: number, { start, end, data }: DayTableBlob) {
    const { version, content, isSound } = unseal('days', data);
    if (version === 0) throw new DamagedBlobError('it is no day table');
    if (!isSound) throw new DamagedBlobError('its checksum is wrong');
    const { buffer, byteOffset, length } = content;
    this.station = station;
    this.start = start;
    this.end = end;
    this.#buffer = buffer;
    this.#integers = new Uint32Array(buffer, byteOffset, length / 4);
    this.#floats = new Float64Array(buffer, byteOffset, length / 8);
    const [days = 0, count = 0] = this.#integers;
    this.days = days;
    let at = HEADER + aligned(count * VARIABLE);
    for (let index = 0; index < count; index += 1) {
      // u16 variable, u8 minima, u8 maxima
      const entry = this.#integers[HEADER / 4 + index] as number;
      const [variable, minima, maxima] = [entry & 0xff_ff, (entry >>> 16) & 0xff, entry >>> 24];
      this.#columns.set(variable, { at, minima, maxima });
      at += sizeOf(kindsOf(variable, minima, maxima), days);
    }
  }

  get variables(): Iterable<number> {
    return this.#columns.keys();
  }

  copyTo(variable: number, fields: readonly Float64Array[], day: number): void {
    const column = this.#columns.get(variable);
    if (column === undefined) return;
    let { at } = column;
    for (const [index, kind] of kindsOf(variable, column.minima, column.maxima).entries()) {
      const field = fields[index] as Float64Array;
      if (kind === 'count') this.#copyCounts(at, field, day);
      else if (kind === 'time') this.#copyTimes(at, field, day);
      else if (kind === 'sum') this.#copySums(at, field, day);
      else this.#copyExtremes(kind, at, field, day);
      at += aligned(this.days * bytesOf(kind));
    }
  }

  #copyCounts(at: number, field: Float64Array, day: number): void {
    for (let index = 0; index < this.days; index += 1)
      field[day + index] = this.#integers[at / 4 + index] as number;
  }

  #copyTimes(at: number, field: Float64Array, day: number): void {
    for (let index = 0; index < this.days; index += 1) {
      const offset = this.#integers[at / 4 + index] as number;
      field[day + index] = offset === NO_TIME ? Number.NaN : this.start + offset;
    }
  }

  #copySums(at: number, field: Float64Array, day: number): void {
    for (let index = 0; index < this.days; index += 1)
      field[day + index] = this.#floats[at / 8 + index] as number;
  }

  #copyExtremes({ encoding, absent }: Extremes, at: number, field: Float64Array, day: number): void {
    readColumn(this.#buffer, this.#integers.byteOffset + at, encoding, 0, this.days, field, day);
    for (let index = day; index < day + this.days; index += 1)
      if (Number.isNaN(field[index])) field[index] = absent;
  }
}

/** The content of `DayTableBlob.data` where the sums of a variable begin, and the encodings of its extremes. */
interface PackedColumn {
  readonly at: number;
  readonly minima: number;
  readonly maxima: number;
}

/** `[start, end)` of the month in milliseconds since 1970-01-01T00:00:00Z, and the encoded table. */
export interface DayTableBlob {
  readonly start: number;
  readonly end: number;
  readonly data: Buffer;
}

/** @returns undefined for a damaged table, which is made again from the rows */
export function openDayTable(station: number, blob: DayTableBlob): PackedDays | undefined {
  try {
    return new PackedDays(station, blob);
  } catch (error) {
    if (error instanceof DamagedBlobError) return undefined;
    throw error;
  }
}

/** Minima or maxima: an encoding of fixed-columns.ts, and the value of days without values. */
interface Extremes {
  readonly encoding: number;
  readonly absent: number;
}
type Kind = 'count' | 'sum' | 'time' | Extremes;

const OF_DIRECTION: readonly Kind[] = ['count', 'sum', 'sum', 'count', 'sum', 'sum'];

/** The parts of the sums of a variable, in the order of the fields of `Accumulator` or `DirectionMean`. */
function kindsOf(variable: number, minima: number, maxima: number): readonly Kind[] {
  if (isDirection(variable)) return OF_DIRECTION;
  return [
    'count',
    'sum',
    { encoding: minima, absent: Infinity },
    'time',
    { encoding: maxima, absent: -Infinity },
    'time',
  ];
}

function sizeOf(kinds: readonly Kind[], days: number): number {
  return kinds.reduce((sum, kind) => sum + aligned(days * bytesOf(kind)), 0);
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

function write(kind: Kind, field: Float64Array, start: number, data: ArrayBuffer, at: number): void {
  if (typeof kind === 'object') return writeColumn(valuesOf(field), kind.encoding, data, at);
  if (kind === 'sum') return writeColumn(field, FLOAT, data, at);
  const target = new Uint32Array(data, at, field.length);
  if (kind === 'count') return target.set(field);
  for (const [day, time] of field.entries()) target[day] = Number.isNaN(time) ? NO_TIME : time - start;
}
