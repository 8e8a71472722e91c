import { V, type Variable } from '../variables.js';
import { type Bucket, type CalendarInterval, isClockInterval } from './bucket.js';

/**
 * A mean or an extreme is complete if its values cover at least this share of the time. The values of variables of
 * `needsWholeTime` must cover all of the time.
 */
export const COMPLETE_SHARE = 0.8;

/**
 * Whether the values of a variable must cover all of the time. This is true for amounts and for radiation.
 *
 * Most of the energy of radiation arrives within a few hours. If the values cover 80 % of a day, but not the 5 hours around noon,
 * half of the energy of a summer day is missing, and more of a winter day. So the mean would be much too low.
 *
 * The UV index measures radiation too: an index of 1 is 25 mW/m², weighted by the effect on the skin.
 */
export function needsWholeTime({ aggregation, number }: Variable): boolean {
  return aggregation === 'sum' || number === V.radiation || number === V.ultravioletIndex;
}

/**
 * The rules of the WMO for the mean of a month: `wmo_1203` is in WMO-No. 1203 (Guidelines on the Calculation of Climate Normals,
 * 2017); the stricter rule `five_three` is in WMO-TD/No. 341 (1989).
 */
export const MONTH_RULES = {
  wmo_1203: { days: 10, inARow: 4 },
  five_three: { days: 5, inARow: 3 },
} as const;
export type MonthRule = keyof typeof MONTH_RULES;

/**
 * The rule by which a summary is valid:
 *
 * - `time_80`, `time_100`: the values cover this share of the time, for intervals of at most a week;
 * - `every_day`: all days are complete, for a month of a sum or of radiation;
 * - a `MonthRule`: for a month of all other values;
 * - `every_month`: all months are valid, for seasons and years.
 */
export type ValidityRule = 'time_80' | 'time_100' | 'every_day' | 'every_month' | MonthRule;

/** How much of an interval the values of a variable cover. Null means unknown. */
export interface Completeness {
  /** Whether the values cover enough of the time: `COMPLETE_SHARE`, or all of the time for a sum and for radiation. */
  readonly complete: boolean | null;
  /** Whether the summary is valid by `rule`, so that it may be published. */
  readonly valid: boolean | null;
  /** The time that the values do not cover, in ms. */
  readonly missing: number | null;
  /** Number of complete days; null for intervals of a day or less. */
  readonly days: number | null;
  readonly rule: ValidityRule;
}

/** An interval of the calendar. */
export interface SummaryInterval extends Bucket {
  readonly kind: CalendarInterval;
  /** For seasons and years: the number of days of each month in order; 0 for a month without rows. */
  readonly months: readonly number[];
}

/**
 * The days of an interval: from index `from` to `to` (not included). An interval of a day or less has one entry, which is the
 * interval itself.
 */
export interface CoveredDays {
  /** Lengths of the days in ms. The lengths are in an array, because a loop over objects takes several times as long. */
  readonly lengths: Float64Array;
  /** For each day the time that the values cover, in ms; NaN if unknown. */
  readonly covered: Float64Array;
  readonly from: number;
  readonly to: number;
}

export function completenessOf(
  variable: Variable,
  interval: SummaryInterval,
  { lengths, covered, from, to }: CoveredDays,
  monthRule: MonthRule,
): Completeness {
  const { start, end, kind, months } = interval;
  const needsAll = needsWholeTime(variable);
  let [total, isKnown] = [0, from === to];
  for (let day = from; day < to; day += 1) {
    const time = covered[day] as number;
    if (Number.isNaN(time)) continue;
    total += time;
    isKnown = true;
  }
  const missing = isKnown ? end - start - total : null;
  const complete = isKnown ? isEnough(variable, total, end - start) : null;
  const rule = needsAll ? 'time_100' : 'time_80';
  if (isClockInterval(kind) || kind === 'day')
    return missing === 0 ? WHOLE[rule] : { complete, valid: complete, missing, days: null, rule };
  // The validity is checked for each part of the interval. The parts of a season or a year are its months; any other interval is
  // a single part. `partLengths` contains the number of days of each part.
  const partLengths = kind === 'season' || kind === 'year' ? months : [to - from];
  let [next, count, areValid] = [from, 0, true];
  for (const length of partLengths) {
    // In most intervals no time is missing. Then no day is missing, and the days need not be checked.
    const { missing: absent, inARow } =
      missing === 0 ? NONE_MISSING : missingDays(variable, lengths, covered, next, next + length);
    next += length;
    count += length - absent;
    areValid &&= length > 0 && isValidMonth(absent, inARow, needsAll, monthRule);
  }
  const common = { complete, missing, days: isKnown ? count : null };
  if (kind === 'week') return { ...common, valid: complete, rule };
  const valid = isKnown ? areValid : null;
  if (kind === 'month') return { ...common, valid, rule: needsAll ? 'every_day' : monthRule };
  return { ...common, valid, rule: 'every_month' };
}

const NONE_MISSING = { missing: 0, inARow: 0 };

/** Number of incomplete days from `from` to `to` (not included), and the largest number of consecutive incomplete days. */
function missingDays(
  variable: Variable,
  lengths: Float64Array,
  covered: Float64Array,
  from: number,
  to: number,
): { readonly missing: number; readonly inARow: number } {
  let [missing, inARow, longest] = [0, 0, 0];
  for (let day = from; day < to; day += 1) {
    if (isEnough(variable, covered[day] as number, lengths[day] as number)) {
      inARow = 0;
      continue;
    }
    missing += 1;
    inARow += 1;
    if (inARow > longest) longest = inARow;
  }
  return { missing, inARow: longest };
}

/** The results for fully covered hours and days. Most hours and days are fully covered, so they share these objects. */
const WHOLE = {
  time_80: { complete: true, valid: true, missing: 0, days: null, rule: 'time_80' },
  time_100: { complete: true, valid: true, missing: 0, days: null, rule: 'time_100' },
} as const satisfies Record<string, Completeness>;

/** Whether the values of a variable cover enough of a time. An unknown covered time (NaN) is not enough. */
export function isEnough(variable: Variable, covered: number, length: number): boolean {
  // Half a millisecond is subtracted, because the product with 0.8 may exceed the exact whole number by a rounding error.
  return covered >= length * (needsWholeTime(variable) ? 1 : COMPLETE_SHARE) - 0.5;
}

function isValidMonth(missing: number, inARow: number, needsAll: boolean, rule: MonthRule): boolean {
  if (needsAll) return missing === 0;
  return missing <= MONTH_RULES[rule].days && inARow <= MONTH_RULES[rule].inARow;
}
