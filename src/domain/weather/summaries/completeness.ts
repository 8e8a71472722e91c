import type { Variable } from '../variables.js';
import type { Bucket, CalendarInterval } from './bucket.js';

/** Share of the time at which a mean or an extreme counts as complete. A sum needs all of it. */
export const COMPLETE_SHARE = 0.8;

/**
 * The rules for the mean of a month. Both are those of the WMO: `wmo_1203` of WMO-No. 1203 (Guidelines on the Calculation of Climate
 * Normals, 2017), `five_three` the stricter one of WMO-TD/No. 341 (1989).
 */
export const MONTH_RULES = {
  wmo_1203: { days: 10, inARow: 4 },
  five_three: { days: 5, inARow: 3 },
} as const;
export type MonthRule = keyof typeof MONTH_RULES;

/**
 * The rule for `valid`: `time_80` and `time_100` of the share of the time, `every_day` of a sum over a month, `every_month` of
 * seasons and years; of the mean of a month its `MonthRule`.
 */
export type ValidityRule = 'time_80' | 'time_100' | 'every_day' | 'every_month' | MonthRule;

/** How much of an interval the values of a variable stand for. Null: it cannot be known. */
export interface Completeness {
  /** Whether they stand for enough of the time: `COMPLETE_SHARE`, all of it for a sum. */
  readonly complete: boolean | null;
  /** Whether the summary may be published by `rule`. */
  readonly valid: boolean | null;
  /** The rest of the time, in ms. */
  readonly missing: number | null;
  /** Number of days that are complete; null for intervals that are no longer than a day. */
  readonly days: number | null;
  readonly rule: ValidityRule;
}

/** An interval of the calendar with the days and the months in it. */
export interface SummaryInterval extends Bucket {
  readonly kind: CalendarInterval;
  /** The days; none where the station has no rows in the month. In hours and days it is the interval itself. */
  readonly days: readonly Bucket[];
  /** Of seasons and years: the number of days of each month, in their order. */
  readonly months: readonly number[];
}

/** @param covered ms for which the values of each of the days stand; NaN if it is unknown */
export function completenessOf(
  variable: Variable,
  interval: SummaryInterval,
  covered: Float64Array,
  monthRule: MonthRule,
): Completeness {
  const { start, end, kind, days, months } = interval;
  const isSum = variable.aggregation === 'sum';
  let [total, isKnown] = [0, covered.length === 0];
  for (const time of covered) {
    if (Number.isNaN(time)) continue;
    total += time;
    isKnown = true;
  }
  const missing = isKnown ? end - start - total : null;
  const complete = isKnown ? isEnough(variable, total, end - start) : null;
  const byTime = { complete, valid: complete, missing, rule: isSum ? 'time_100' : 'time_80' } as const;
  if (kind === 'hour' || kind === 'day') return { ...byTime, days: null };
  const areComplete = days.map((day, index) =>
    isEnough(variable, covered[index] as number, day.end - day.start),
  );
  const common = { ...byTime, days: isKnown ? areComplete.filter(Boolean).length : null };
  if (kind === 'week') return common;
  const isValid = (month: readonly boolean[]) => isValidMonth(month, isSum, monthRule);
  if (kind === 'month')
    return {
      ...common,
      valid: isKnown ? isValid(areComplete) : null,
      rule: isSum ? 'every_day' : monthRule,
    };
  let next = 0;
  const valid = months.map((count) => isValid(areComplete.slice(next, (next += count))));
  return { ...common, valid: isKnown ? valid.every(Boolean) : null, rule: 'every_month' };
}

/** Whether a time is enough for a variable. An unknown time (NaN) is not. */
export function isEnough({ aggregation }: Variable, covered: number, length: number): boolean {
  // Half a millisecond: 0.8 times a whole number may be above the whole number that it stands for.
  return covered >= length * (aggregation === 'sum' ? 1 : COMPLETE_SHARE) - 0.5;
}

function isValidMonth(days: readonly boolean[], isSum: boolean, rule: MonthRule): boolean {
  if (days.length === 0) return false;
  let [missing, inARow, most] = [0, 0, 0];
  for (const isComplete of days) {
    inARow = isComplete ? 0 : inARow + 1;
    most = Math.max(most, inARow);
    if (!isComplete) missing += 1;
  }
  if (isSum) return missing === 0;
  return missing <= MONTH_RULES[rule].days && most <= MONTH_RULES[rule].inARow;
}
