import { monthLabel, monthsOf } from '../calendar-rows.js';
import type { Rows } from '../rows.js';
import { type ClimateDays, dateNumber } from '../climate-days.js';
import { WET_DAY } from '../elements.js';
import { lengthOf, type YearSpan } from '../normals.js';
import { percentile } from '../usual.js';
import { BasePeriod, DATES, dateOfYear } from './base-period.js';
import { type ClimateIndex, FREQUENCIES, type Frequency } from './definitions.js';

/**
 * Smallest share of the days of a base period that must be known. The ETCCDI asks for a nearly complete base period without a number;
 * this is the share that WMO-No. 1203 asks for in a normal.
 */
const MIN_SHARE_OF_BASE = 0.8;
/** Shortest spell of WSDI and CSDI, in days. */
const SPELL = 6;
/** Largest number of days of a period whose date has no percentile, although the day has a value. */
const MAX_WITHOUT_PERCENTILE = 3;

const PRECIPITATION = 'precipitation_amount';
const YEARS: readonly Frequency[] = ['year'];
type Side = 'above' | 'below';
type Temperature = 'maximum' | 'minimum';

/**
 * The indices of the ETCCDI that compare days with percentiles of a base period, as in climdex.pcic 1.2-0. A rate of a day in the base
 * period is computed with the bootstrap of Zhang et al. (2005). As in climdex.pcic, a missing day in the base period counts as a day
 * that does not exceed, and a missing day outside of it does not count.
 */
export function percentileIndices(base: YearSpan): readonly ClimateIndex[] {
  const values = new BaseValues(base);
  return [
    rateOf(values, 'TN10p', 'minimum', 0.1, 'below'),
    rateOf(values, 'TX10p', 'maximum', 0.1, 'below'),
    rateOf(values, 'TN90p', 'minimum', 0.9, 'above'),
    rateOf(values, 'TX90p', 'maximum', 0.9, 'above'),
    spellOf(values, 'WSDI', 'maximum', 0.9, 'above'),
    spellOf(values, 'CSDI', 'minimum', 0.1, 'below'),
    amountOf(values, 'R95p', 0.95),
    amountOf(values, 'R99p', 0.99),
    contributionOf(values, 'R95pTOT', 0.95),
    contributionOf(values, 'R99pTOT', 0.99),
  ];
}

/** The temperatures of a table and of its base period, by date. */
interface TemperatureDays {
  readonly base: BasePeriod;
  readonly values: Float64Array;
  /** The date of each row, from 0 to 364. 29 February has the date of 28 February. */
  readonly dates: Uint16Array;
  /** The year of each row as an index of the years of the base period; -1 for other years. */
  readonly baseYears: Int16Array;
}

/** The values of the base period, computed once for all indices of a quantity. */
class BaseValues {
  readonly #base: YearSpan;
  readonly #temperatures = new Map<Temperature, TemperatureDays | undefined>();

  constructor(base: YearSpan) {
    this.#base = base;
  }

  /** Undefined if too few days of the base period are known. */
  temperatures(days: ClimateDays, quantity: Temperature): TemperatureDays | undefined {
    if (!this.#temperatures.has(quantity))
      this.#temperatures.set(quantity, this.#readTemperatures(days, days.known(quantity)));
    return this.#temperatures.get(quantity);
  }

  /** A percentile of the amounts of wet days of the base period; NaN if too few days are known. */
  wetPercentile(days: ClimateDays, share: number): number {
    const amounts = days.known('precipitation');
    const wet: number[] = [];
    let known = 0;
    for (const { from, to, year } of monthsOf(days.dates)) {
      if (year < this.#base.from || year > this.#base.to) continue;
      for (let row = from; row < to; row += 1) {
        const amount = amounts[row] as number;
        if (!Number.isNaN(amount)) known += 1;
        if (amount >= WET_DAY) wet.push(amount);
      }
    }
    if (!this.#isEnough(known) || wet.length === 0) return Number.NaN;
    return percentile(Float64Array.from(wet).sort(), share);
  }

  #readTemperatures(days: ClimateDays, values: Float64Array): TemperatureDays | undefined {
    const months = monthsOf(days.dates);
    const dates = new Uint16Array(values.length);
    const baseYears = new Int16Array(values.length).fill(-1);
    const years: Float64Array[] = [];
    let known = 0;
    let last: number | undefined;
    for (const { from, to, year, month } of months) {
      const isBase = year >= this.#base.from && year <= this.#base.to;
      if (isBase && year !== last) years.push(new Float64Array(DATES).fill(Number.NaN));
      last = year;
      const first = dateNumber(`${monthLabel({ year, month })}-01`);
      for (let row = from; row < to; row += 1) {
        const day = (days.dates[row] as number) - first + 1;
        dates[row] = dateOfYear(month, day);
        if (!isBase) continue;
        baseYears[row] = years.length - 1;
        const value = values[row] as number;
        if (Number.isNaN(value)) continue;
        known += 1;
        const isLeapDay = month === 2 && day === 29;
        if (!isLeapDay) (years.at(-1) as Float64Array)[dates[row] as number] = value;
      }
    }
    if (years.length < 2 || !this.#isEnough(known)) return undefined;
    return { base: new BasePeriod(years), values, dates, baseYears };
  }

  #isEnough(known: number): boolean {
    return known >= MIN_SHARE_OF_BASE * lengthOf(this.#base) * DATES;
  }
}

const NAMES: Readonly<Record<Temperature, string>> = { maximum: 'a maximum', minimum: 'a minimum' };
const isBeyond = (side: Side, value: number, limit: number) =>
  side === 'above' ? value > limit : value < limit;
const place = (side: Side, share: number) =>
  `${side} the ${share * 100}th percentile of the date in the base period`;

function rateOf(
  base: BaseValues,
  name: string,
  quantity: Temperature,
  share: number,
  side: Side,
): ClimateIndex {
  return {
    name,
    title: `share of the days with ${NAMES[quantity]} ${place(side, share)}`,
    quantity,
    frequencies: FREQUENCIES,
    unit: '%',
    rule: 'climdex_base',
    begin: (days) => {
      const found = base.temperatures(days, quantity);
      if (found === undefined) return () => Number.NaN;
      const beyond = daysBeyond(found, share, side);
      return ({ from, to }) => {
        let [sum, count, without] = [0, 0, 0];
        for (let row = from; row < to; row += 1) {
          const part = beyond[row] as number;
          if (!Number.isNaN(part)) [sum, count] = [sum + part, count + 1];
          else if (!Number.isNaN(found.values[row])) without += 1;
        }
        return count === 0 || without > MAX_WITHOUT_PERCENTILE ? Number.NaN : (100 * sum) / count;
      };
    },
  };
}

/**
 * For each day 1 if its temperature is beyond the percentile of its date, 0 if not, and in the base period the share of the resampled
 * percentiles. NaN for a day outside of the base period without a temperature or a percentile.
 */
function daysBeyond(
  { base, values, dates, baseYears }: TemperatureDays,
  share: number,
  side: Side,
): Float64Array {
  const percentiles = base.percentiles(share);
  return values.map((value, row) => {
    const [date, year] = [dates[row] as number, baseYears[row] as number];
    if (year >= 0) return Number.isNaN(value) ? 0 : base.shareBeyond(date, year, share, side, value);
    const limit = percentiles[date] as number;
    if (Number.isNaN(value) || Number.isNaN(limit)) return Number.NaN;
    return isBeyond(side, value, limit) ? 1 : 0;
  });
}

function spellOf(
  base: BaseValues,
  name: string,
  quantity: Temperature,
  share: number,
  side: Side,
): ClimateIndex {
  return {
    name,
    title: `days in spells of at least ${SPELL} days with ${NAMES[quantity]} ${place(side, share)}; a spell ends with the year`,
    quantity,
    frequencies: YEARS,
    rule: 'climdex_base',
    begin: (days) => {
      const found = base.temperatures(days, quantity);
      if (found === undefined) return () => Number.NaN;
      const percentiles = found.base.percentiles(share);
      const isRow = (row: number) =>
        isBeyond(side, found.values[row] as number, percentiles[found.dates[row] as number] as number);
      return ({ from, to }) => {
        let [sum, length] = [0, 0];
        for (let row = from; row <= to; row += 1) {
          if (row < to && isRow(row)) {
            length += 1;
            continue;
          }
          if (length >= SPELL) sum += length;
          length = 0;
        }
        return sum;
      };
    },
  };
}

function amountOf(base: BaseValues, name: string, share: number): ClimateIndex {
  return {
    name,
    title: `amount of the days above the ${share * 100}th percentile of the wet days of the base period`,
    quantity: 'precipitation',
    frequencies: YEARS,
    variable: PRECIPITATION,
    rule: 'climdex_base',
    begin: (days) => {
      const limit = base.wetPercentile(days, share);
      const amounts = days.known('precipitation');
      return (rows) => (Number.isNaN(limit) ? Number.NaN : sumOf(amounts, rows, (amount) => amount > limit));
    },
  };
}

function contributionOf(base: BaseValues, name: string, share: number): ClimateIndex {
  return {
    name,
    title: `share of the days above the ${share * 100}th percentile of the wet days of the base period in PRCPTOT`,
    quantity: 'precipitation',
    frequencies: YEARS,
    unit: '%',
    rule: 'climdex_base',
    begin: (days) => {
      const limit = base.wetPercentile(days, share);
      const amounts = days.known('precipitation');
      return (rows) => {
        const total = sumOf(amounts, rows, (amount) => amount >= WET_DAY);
        return (
          (100 * sumOf(amounts, rows, (amount) => amount > limit)) / (Number.isNaN(limit) ? limit : total)
        );
      };
    },
  };
}

function sumOf(amounts: Float64Array, { from, to }: Rows, counts: (amount: number) => boolean): number {
  let sum = 0;
  for (let row = from; row < to; row += 1) {
    const amount = amounts[row] as number;
    if (counts(amount)) sum += amount;
  }
  return sum;
}
