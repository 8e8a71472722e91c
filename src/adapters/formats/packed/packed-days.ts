import type { DailyAggregates, StoredDays } from '#domain/weather/summaries/daily-aggregate.js';
import {
  COVERED,
  emptyFields,
  type FieldLayout,
  FIELDS_OF_VERSION_1,
  layoutOf,
} from '#domain/weather/summaries/layout.js';
import { NO_POSITION } from '#domain/weather/summaries/position-code.js';
import { DomainError } from '#domain/domain-error.js';
import { variableNumbered } from '#domain/weather/variables.js';
import { aligned, DamagedBlobError, unseal } from './blob.js';
import {
  ABSENT,
  type DailyAggregatesKey,
  hasEncoding,
  keyOfTable,
  NONE,
  sizeOf,
  SIZES,
  total,
} from './daily-aggregate-codec.js';
import { readColumn } from './fixed/fixed-columns.js';

/** Encoded daily aggregates with their key. */
export interface DailyAggregatesBlob extends DailyAggregatesKey {
  readonly data: Buffer;
}

const NO_METHODS: readonly number[] = [];
const NO_ROUTINE: ReadonlyMap<number, number> = new Map();

/**
 * The daily aggregates of a month, which are statistics of its days. The constructor decodes only the header. The statistics of a
 * variable are decoded when `copyTo` is called for the variable.
 */
export class PackedDays implements StoredDays {
  readonly station: number;
  readonly start: number;
  readonly end: number;
  readonly days: number;
  readonly reportingInterval: number | null | undefined;
  readonly rules: number;
  readonly unusualMethods: readonly number[];
  readonly positionCode: number;
  #routine: Map<number, number> | undefined;
  readonly #version: number;
  /** Numbers of the variables, and the offsets of their statistics from the start of the content, in bytes. */
  readonly #variables: number[] = [];
  readonly #offsets: number[] = [];
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #integers: Uint32Array;
  readonly #floats: Float64Array;

  /** @throws DamagedBlobError */
  constructor(stored: DailyAggregatesBlob) {
    const { station, start, end, data } = stored;
    const { version, content, isValid } = unseal('days', keyOfTable(stored), data);
    if (version === 0) throw new DamagedBlobError('it does not contain daily aggregates');
    if (!isValid) throw new DamagedBlobError('its checksum is wrong');
    const { buffer, byteOffset, length } = content;
    this.station = station;
    this.start = start;
    this.end = end;
    this.#version = version;
    this.#bytes = content;
    this.#integers = new Uint32Array(buffer, byteOffset, length / 4);
    this.#floats = new Float64Array(buffer, byteOffset, length / 8);
    const [days = 0, count = 0, seconds = 0, rules = 0, methods = 0, position = 0] = this.#integers;
    this.days = days;
    this.reportingInterval = version === 1 ? undefined : seconds || null;
    this.rules = version < 3 ? 1 : rules;
    this.positionCode = version < 3 ? NO_POSITION : position;
    const { header, variable: entrySize } = this.#sizes;
    let at = header + aligned(count * entrySize);
    // Two lists are empty in most months: the variables whose cell method is not the usual one, and the intervals between routine
    // reports. Months with an empty list share the constants `NO_METHODS` and `NO_ROUTINE`. This saves memory, because a summary
    // of many years opens hundreds of months. For the same reason there is no object for each variable.
    this.unusualMethods =
      version < 3 || methods === 0 ? NO_METHODS : [...new Uint16Array(buffer, byteOffset + at, methods)];
    at += version < 3 ? 0 : aligned(methods * 2);
    for (let index = 0; index < count; index += 1) {
      const entry = (header + index * entrySize) / 4;
      const variable = (this.#integers[entry] as number) & 0xff_ff;
      this.#variables.push(variable);
      this.#offsets.push(at);
      const routine = version < 3 ? 0 : (this.#integers[entry + 3] as number);
      if (routine > 0) (this.#routine ??= new Map()).set(variable, routine);
      at += version === 1 ? this.#sizeOf(index) : (this.#integers[entry + 2] as number);
    }
  }

  get routine(): ReadonlyMap<number, number> {
    return this.#routine ?? NO_ROUTINE;
  }

  get variables(): Iterable<number> {
    return this.#variables;
  }

  get #sizes() {
    return SIZES[this.#version as keyof typeof SIZES];
  }

  /** The fields of a variable that are stored. */
  #layout(index: number): readonly FieldLayout[] {
    const all = layoutOf(variableNumbered(this.#variables[index] as number));
    return this.#version === 1 ? all.slice(0, FIELDS_OF_VERSION_1) : all;
  }

  /**
   * Offset of the encodings of a variable from the start of the content, in bytes. There is one for each field of the kind `value` or
   * `cells` (see `FieldLayout`), in the order of the fields. The other kinds, such as counts and times, always have the same
   * encoding, which is not stored.
   */
  #encodings(index: number): number {
    const { header, variable } = this.#sizes;
    return header + index * variable + 2;
  }

  /** Number of bytes of the statistics of a variable. */
  #sizeOf(index: number): number {
    let next = this.#encodings(index);
    return total(
      this.#layout(index).map((field) =>
        sizeOf(field.kind, hasEncoding(field) ? (this.#bytes[next++] as number) : 0, this.days),
      ),
    );
  }

  copyTo(variable: number, fields: readonly Float64Array[], day: number): void {
    const position = this.#variables.indexOf(variable);
    if (position < 0) return;
    const layout = this.#layout(position);
    let [at, next] = [this.#offsets[position] as number, this.#encodings(position)];
    // Loops without iterators are faster, which matters here: a summary of many years runs this function for each month and
    // variable.
    for (let index = 0; index < layout.length; index += 1) {
      const one = layout[index] as FieldLayout;
      const { kind, empty, cells = 1 } = one;
      const field = fields[index] as Float64Array;
      const encoding = hasEncoding(one) ? (this.#bytes[next++] as number) : 0;
      if (kind === 'count') this.#copyCounts(at, field, day);
      else if (kind === 'time') this.#copyTimes(at, field, day, this.start);
      else if (kind === 'length') this.#copyTimes(at, field, day, 0);
      else if (kind === 'sum') this.#copySums(at, field, day);
      else if (kind === 'value') this.#copyValues(encoding, empty, at, field, day);
      else this.#copyCells(cells, encoding, at, field, day);
      if (kind !== 'cells') at += sizeOf(kind, encoding, this.days);
    }
    if (this.reportingInterval === undefined) forgetCovered(fields, day, day + this.days);
  }

  #copyCounts(at: number, field: Float64Array, day: number): void {
    for (let index = 0; index < this.days; index += 1)
      field[day + index] = this.#integers[at / 4 + index] as number;
  }

  #copyTimes(at: number, field: Float64Array, day: number, start: number): void {
    for (let index = 0; index < this.days; index += 1) {
      const offset = this.#integers[at / 4 + index] as number;
      field[day + index] = offset === NONE ? Number.NaN : start + offset;
    }
  }

  #copySums(at: number, field: Float64Array, day: number): void {
    for (let index = 0; index < this.days; index += 1)
      field[day + index] = this.#floats[at / 8 + index] as number;
  }

  #copyValues(encoding: number, empty: number, at: number, field: Float64Array, day: number): void {
    if (encoding === ABSENT) return;
    readColumn(this.#bytes.buffer, this.#integers.byteOffset + at, encoding, 0, this.days, field, day);
    if (Number.isNaN(empty)) return;
    for (let index = day; index < day + this.days; index += 1)
      if (Number.isNaN(field[index])) field[index] = empty;
  }

  #copyCells(cells: number, encoding: number, at: number, field: Float64Array, day: number): void {
    if (encoding === ABSENT) return;
    let count = 0;
    for (let index = 0; index < this.days; index += 1)
      for (let mask = this.#integers[at / 4 + index] as number; mask !== 0; mask &= mask - 1) count += 1;
    const values = new Float64Array(count);
    const start = this.#integers.byteOffset + at + aligned(this.days * 4);
    readColumn(this.#bytes.buffer, start, encoding, 0, count, values, 0);
    let next = 0;
    for (let index = 0; index < this.days; index += 1) {
      const mask = this.#integers[at / 4 + index] as number;
      if (mask === 0) continue;
      for (let cell = 0; cell < cells; cell += 1) {
        if ((mask & (1 << cell)) === 0) continue;
        field[(day + index) * cells + cell] = values[next] as number;
        next += 1;
      }
    }
  }
}

/**
 * Sets the field `COVERED` (the time of a day that is covered by values) to NaN, which means unknown, because version 1 does not
 * store this field. Days without values are not changed. A day has values if its count of values is not 0. A direction has
 * two counts, for directions with and without a speed. A day then has values if one of the two counts is not 0.
 */
function forgetCovered(fields: readonly Float64Array[], from: number, to: number): void {
  const [counts, , , others] = fields as [Float64Array, Float64Array, Float64Array, Float64Array];
  for (let day = from; day < to; day += 1)
    if (counts[day] !== 0 || (others[day] as number) > 0) (fields[COVERED] as Float64Array)[day] = Number.NaN;
}

/** Decodes daily aggregates: the statistics of the days of a month, for all variables. @throws DamagedBlobError */
export function decodeDailyAggregates(blob: DailyAggregatesBlob): DailyAggregates {
  const packed = new PackedDays(blob);
  const sums = [...packed.variables].map((variable) => {
    const fields = emptyFields(layoutOf(variableNumbered(variable)), packed.days);
    packed.copyTo(variable, fields, 0);
    return [variable, fields] as const;
  });
  const { days, reportingInterval = null, rules, unusualMethods, positionCode, routine } = packed;
  const { start, end } = blob;
  const header = { days, reportingInterval, rules, unusualMethods, positionCode, routine };
  return { start, end, ...header, sums: new Map(sums) };
}

/** @returns undefined for damaged daily aggregates, which are computed again from the rows */
export function openDailyAggregates(blob: DailyAggregatesBlob): PackedDays | undefined {
  try {
    return new PackedDays(blob);
  } catch (error) {
    if (error instanceof DamagedBlobError) return undefined;
    throw error;
  }
}

/** Opens daily aggregates that cannot be computed again, because the rows of the month were removed. @throws DomainError DATA_DAMAGED */
export function openKept(blob: DailyAggregatesBlob): PackedDays {
  try {
    return new PackedDays(blob);
  } catch (cause) {
    if (!(cause instanceof DamagedBlobError)) throw cause;
    throw new DomainError('DATA_DAMAGED', 'Daily aggregates of months whose rows were removed are damaged.', {
      cause,
    });
  }
}
