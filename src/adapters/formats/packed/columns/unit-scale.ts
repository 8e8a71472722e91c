import { converter } from '#domain/weather/units.js';
import type { Variable } from '#domain/weather/variables.js';
import { type IntegerColumn, ROUNDS } from './integer-column.js';

/** Base-2 logarithm of `PAGE`. A page is an array that caches the converted values of `PAGE` successive integers. */
const PAGE_BITS = 10;
const PAGE = 1 << PAGE_BITS;
/** Largest number of pages (arrays of converted values) that are cached, for all units together. They need 4 MiB. */
const MAX_PAGES = 512;
/**
 * Largest distance between a converted value and an integer at which the integer is tested exactly. The distance is often not 0,
 * because stored values have only 12 digits. Example: the stored value of 60.1 °F is 15.6111111111 °C, which is converted back to
 * about 600.9999999998 tenths of a °F instead of 601.
 */
const TOLERANCE = 1e-3;
/**
 * Limit of the absolute value of integers. A column with a larger integer does not get this scale, because the computed distance
 * between its value and the integer would be too inexact.
 */
const MAX_INTEGER = 1e8;

/**
 * Packs the values of a column as integers, in a unit other than the stored unit. An integer is the value in this unit, times a
 * power of ten. Example: a station measures 60.1 °F. The stored value is 15.6111111111 °C, and it is packed as the integer 601
 * (tenths of a °F).
 *
 * The stored values of integers are cached in pages (arrays of `PAGE` values), because a conversion takes a hundred times as long
 * as a look-up: it writes a number as text and reads the text again.
 */
export class UnitScale {
  readonly #power: number;
  /**
   * The integer of a stored value is approximately value × factor + offset. The factor converts the value to the other unit and
   * multiplies it by the power of ten.
   */
  readonly #factor: number;
  readonly #offset: number;
  readonly #toStored: (value: number) => number;
  /**
   * The stored values that belong to the integers, in arrays of `PAGE` values. The key of an array is integer / `PAGE`, rounded
   * down. NaN for an integer that has not been converted so far.
   */
  readonly #pages = new Map<number, Float64Array>();
  static #full: UnitScale[] = [];
  static #pageCount = 0;

  /** @param power power of ten by which values in the unit are multiplied */
  constructor(variable: Variable, unit: string, power: number) {
    const toUnit = converter(variable, unit, 'unit');
    this.#power = power;
    this.#offset = toUnit(0) * power;
    this.#factor = (toUnit(1000) - toUnit(0)) * (power / 1000);
    this.#toStored = converter(variable, unit, 'stored');
  }

  /**
   * Computes the integer of each value in the rows from `from` to `to` (not included): the value in the other unit, times the
   * power of ten.
   *
   * @returns the first row whose value is not reproduced exactly by an integer; -1 if there is none
   */
  toIntegers(values: Float64Array, column: IntegerColumn, from: number, to: number): number {
    const integers = column.values;
    const factor = this.#factor;
    const offset = this.#offset;
    let min = Infinity;
    let max = -Infinity;
    let low = Infinity;
    let high = -Infinity;
    let before = Number.NaN;
    let absent = 0;
    let pageNumber = Number.NaN;
    let page: Float64Array = NO_PAGE;
    for (let row = from; row < to; row += 1) {
      const value = values[row] as number;
      if (Number.isNaN(value)) {
        integers[row] = value;
        absent += 1;
        continue;
      }
      const scaled = value * factor + offset;
      const integer = scaled + ROUNDS - ROUNDS;
      // This rough comparison comes first, because it needs no conversion. It rejects most values that were not measured in this
      // unit or have more decimals.
      if (!(Math.abs(scaled - integer) < TOLERANCE && Math.abs(integer) < MAX_INTEGER)) return row;
      const wanted = integer >> PAGE_BITS;
      if (wanted !== pageNumber) {
        page = this.#page(wanted);
        pageNumber = wanted;
      }
      const at = integer & (PAGE - 1);
      let stored = page[at] as number;
      if (Number.isNaN(stored)) stored = page[at] = this.#toStored(integer / this.#power);
      if (stored !== value || (value === 0 && Object.is(value, -0) !== Object.is(stored, -0))) return row;
      integers[row] = integer;
      if (integer < min) min = integer;
      if (integer > max) max = integer;
      const difference = integer - before;
      if (difference < low) low = difference;
      if (difference > high) high = difference;
      before = integer;
    }
    column.set(min, max, low, high, to - from - absent);
    return -1;
  }

  /** Replaces integers with stored values in the rows from `from` to `to` (not included). */
  toValues(values: Float64Array, from: number, to: number): void {
    let pageNumber = Number.NaN;
    let page: Float64Array = NO_PAGE;
    for (let row = from; row < to; row += 1) {
      const integer = values[row] as number;
      if (Number.isNaN(integer)) continue;
      const wanted = integer >> PAGE_BITS;
      if (wanted !== pageNumber) {
        page = this.#page(wanted);
        pageNumber = wanted;
      }
      const at = integer & (PAGE - 1);
      let stored = page[at] as number;
      if (Number.isNaN(stored)) stored = page[at] = this.#toStored(integer / this.#power);
      values[row] = stored;
    }
  }

  #page(number: number): Float64Array {
    let page = this.#pages.get(number);
    if (page !== undefined) return page;
    if (UnitScale.#pageCount >= MAX_PAGES) {
      for (const scale of UnitScale.#full) scale.#pages.clear();
      UnitScale.#full = [];
      UnitScale.#pageCount = 0;
    }
    if (this.#pages.size === 0) UnitScale.#full.push(this);
    UnitScale.#pageCount += 1;
    this.#pages.set(number, (page = new Float64Array(PAGE).fill(Number.NaN)));
    return page;
  }
}

const NO_PAGE = new Float64Array(0);
