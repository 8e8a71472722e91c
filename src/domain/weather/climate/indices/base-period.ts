/**
 * Percentiles of the dates of a base period, by the method of Zhang et al. (2005), Journal of Climate 18, 1641–1651, as climdex.pcic
 * 1.2-0 computes them: the values of five days around a date in all years of the base period, and definition 8 of Hyndman and Fan
 * (1996). The window of 1 January contains 30 and 31 December of the same year. 29 February is in no window.
 */

/** Number of dates of a year without 29 February. */
export const DATES = 365;
/** Number of days before and after a date in its window. */
const HALF_WINDOW = 2;
/** Smallest share of the values of a window for which it has percentiles, as in climdex.pcic. */
const MIN_SHARE = 0.1;
/** A difference that is larger than rounding errors of temperatures in °C. */
const MARGIN = 1e-9;
/** Largest rounding error of a position among sorted values, as in climdex.pcic. */
const FUZZ = 4 * Number.EPSILON;
const NO_YEAR = -1;

/** Dates of a year before the first day of each month, without 29 February. */
const BEFORE_MONTH = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];

/** The index of a date from 0 to 364. 29 February has the index of 28 February. @param month 1 to 12 */
export function dateOfYear(month: number, day: number): number {
  return (BEFORE_MONTH[month - 1] as number) + (month === 2 ? Math.min(day, 28) : day) - 1;
}

/** The values of one date and of the dates around it in the base period, in ascending order. */
interface Window {
  readonly values: Float64Array;
  /** The year of each value, as an index of the years of the base period. */
  readonly years: Uint16Array;
  /** Number of values of each year. */
  readonly counts: Uint16Array;
  /** The smallest and the largest of `counts`. */
  readonly fewest: number;
  readonly most: number;
}

/** The values of a base period by date. */
export class BasePeriod {
  readonly #years: number;
  readonly #windows: readonly Window[];

  /** @param values for each year 365 values, without 29 February; NaN for a missing day */
  constructor(values: readonly Float64Array[]) {
    this.#years = values.length;
    this.#windows = Array.from({ length: DATES }, (_, date) => windowOf(values, date));
  }

  /** The percentile of each date, for years outside of the base period. NaN with too few values. @param share from 0 to 1 */
  percentiles(share: number): Float64Array {
    return Float64Array.from(this.#windows, ({ values }) =>
      this.#isEnough(values.length)
        ? interpolated(values.length, share, (rank) => values[rank] as number)
        : Number.NaN,
    );
  }

  /**
   * The share of the percentiles of a date that a value of a year of the base period is above or below, from 0 to 1. Each percentile is
   * computed without the values of this year and with the values of another year twice; there is one for each other year. Otherwise
   * the years of the base period would be beyond their own percentiles more rarely than other years are.
   *
   * @param date index of the date, from 0 to 364
   * @param year index of the year in the base period
   */
  shareBeyond(date: number, year: number, share: number, side: 'above' | 'below', value: number): number {
    const window = this.#windows[date] as Window;
    const { low, high } = this.#boundsOf(window, year, share);
    // Most values are clearly beyond all percentiles or beyond none. The bootstrap of the others takes most of the time.
    if (value < low - MARGIN) return side === 'below' ? 1 : 0;
    if (value > high + MARGIN) return side === 'above' ? 1 : 0;
    let beyond = 0;
    for (let twice = 0; twice < this.#years; twice += 1) {
      if (twice === year) continue;
      const limit = this.#replacedPercentile(window, year, twice, share);
      if (side === 'above' ? value > limit : value < limit) beyond += 1;
    }
    return beyond / (this.#years - 1);
  }

  /**
   * Limits of the percentiles that are computed without a year and with any other year twice. The values of the other years are added to
   * the rest of the window, at most `most` of them. So each rank moves by at most `most` values.
   */
  #boundsOf(window: Window, year: number, share: number): { readonly low: number; readonly high: number } {
    const { values, counts, fewest, most } = window;
    const rest = values.length - (counts[year] as number);
    if (!this.#isEnough(rest + fewest)) return { low: -Infinity, high: Infinity };
    const lowest = rankBelow(rest + fewest, share) - most;
    const highest = rankBelow(rest + most, share) + 1;
    return {
      low: lowest < 0 ? -Infinity : valueAt(window, lowest, rest, year, NO_YEAR),
      high: highest >= rest ? Infinity : valueAt(window, highest, rest, year, NO_YEAR),
    };
  }

  /** The percentile of the values of a window without the values of one year and with those of another year twice. */
  #replacedPercentile(window: Window, without: number, twice: number, share: number): number {
    const { values, counts } = window;
    const count = values.length - (counts[without] as number) + (counts[twice] as number);
    if (!this.#isEnough(count)) return Number.NaN;
    return interpolated(count, share, (rank) => valueAt(window, rank, count, without, twice));
  }

  #isEnough(count: number): boolean {
    return count > 0 && count / ((2 * HALF_WINDOW + 1) * this.#years) >= MIN_SHARE;
  }
}

/**
 * The value of a rank, from 0, in a window without one year and with another year twice. The ranks of low and high percentiles are near
 * an end of the values, so the values before the rank, or after it, are counted.
 *
 * @param count number of the values with which the rank was computed
 */
function valueAt(
  { values, years }: Window,
  rank: number,
  count: number,
  without: number,
  twice: number,
): number {
  const isFirstHalf = 2 * rank < count;
  const [step, needed] = isFirstHalf ? [1, rank] : [-1, count - rank - 1];
  let index = isFirstHalf ? -1 : values.length;
  for (let passed = 0; passed <= needed;) {
    index += step;
    const year = years[index];
    if (year !== without) passed += year === twice ? 2 : 1;
  }
  return values[index] as number;
}

const THIRD = 1 / 3;

/** The position of a percentile among sorted values, from 0, by definition 8 of Hyndman and Fan. */
function positionOf(count: number, share: number): number {
  return THIRD + share * (count + 1 - THIRD - THIRD) - 1;
}

/** The rank below a percentile. A position that is a rank except for rounding counts as this rank. */
function rankBelow(count: number, share: number): number {
  return Math.floor(positionOf(count, share) + FUZZ);
}

/**
 * A percentile of sorted values by definition 8 of Hyndman and Fan. The order of the operations is the order of climdex.pcic: a
 * percentile between two equal values may differ from them by a rounding error, which decides whether an equal temperature is above.
 *
 * @param share from 0 to 1
 * @param at the value of a rank, from 0
 */
function interpolated(count: number, share: number, at: (rank: number) => number): number {
  const below = rankBelow(count, share);
  const fraction = positionOf(count, share) - below;
  const part = Math.abs(fraction) <= FUZZ ? 0 : fraction;
  const inRange = (rank: number) => Math.min(Math.max(rank, 0), count - 1);
  const lower = at(inRange(below));
  return part === 0 ? lower : (1 - part) * lower + part * at(inRange(below + 1));
}

function windowOf(values: readonly Float64Array[], date: number): Window {
  const found: { readonly value: number; readonly year: number }[] = [];
  for (const [year, ofYear] of values.entries()) {
    for (let near = date - HALF_WINDOW; near <= date + HALF_WINDOW; near += 1) {
      const value = ofYear[(near + DATES) % DATES] as number;
      if (!Number.isNaN(value)) found.push({ value, year });
    }
  }
  found.sort((one, other) => one.value - other.value);
  const counts = new Uint16Array(values.length);
  for (const { year } of found) counts[year] = (counts[year] as number) + 1;
  return {
    values: Float64Array.from(found, ({ value }) => value),
    years: Uint16Array.from(found, ({ year }) => year),
    counts,
    fewest: Math.min(...counts),
    most: Math.max(...counts),
  };
}
