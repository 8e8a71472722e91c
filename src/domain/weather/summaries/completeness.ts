import { V, type Variable } from '../variables.js';
import { type Bucket, type CalendarInterval, isOfClock } from './bucket.js';

/** Share of the time at which a mean or an extreme counts as complete. What `needsWholeTime` needs all of it. */
export const COMPLETE_SHARE = 0.8;

/**
 * Whether the values of a variable must stand for all of the time: amounts, and radiation. Its mean is an energy divided by the
 * time, and comes from a few hours: 80 % of a day may lack those around noon, with half of the energy in summer and more in winter.
 * The UV index is a power too: 1 is 25 mW/m² of radiation, weighted by its effect on the skin.
 */
export function needsWholeTime({ aggregation, number }: Variable): boolean {
  return aggregation === 'sum' || number === V.radiation || number === V.ultravioletIndex;
}

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
 * The rule for `valid`: `time_80` and `time_100` of the share of the time, `every_day` of a sum or of radiation over a month, `every_month` of
 * seasons and years; of the mean of a month its `MonthRule`.
 */
export type ValidityRule = 'time_80' | 'time_100' | 'every_day' | 'every_month' | MonthRule;

/** How much of an interval the values of a variable stand for. Null: it cannot be known. */
export interface Completeness {
  /** Whether they stand for enough of the time: `COMPLETE_SHARE`, all of it for a sum and for radiation. */
  readonly complete: boolean | null;
  /** Whether the summary may be published by `rule`. */
  readonly valid: boolean | null;
  /** The rest of the time, in ms. */
  readonly missing: number | null;
  /** Number of days that are complete; null for intervals that are no longer than a day. */
  readonly days: number | null;
  readonly rule: ValidityRule;
}

/** An interval of the calendar. */
export interface SummaryInterval extends Bucket {
  readonly kind: CalendarInterval;
  /** Of seasons and years: the number of days of each month, in their order; 0 if the station has no rows in a month. */
  readonly months: readonly number[];
}

/** The days in an interval: those from `from` to `to` (not included). An hour or a day is its only day. */
export interface CoveredDays {
  /** ms of each day. An array of numbers, because a loop over objects of days takes several times as long. */
  readonly lengths: Float64Array;
  /** ms for which the values of each of the days stand; NaN if it is unknown. */
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
  if (isOfClock(kind) || kind === 'day')
    return missing === 0 ? WHOLE[rule] : { complete, valid: complete, missing, days: null, rule };
  // The days of each month, or all days. Most intervals lack nothing, so that no day does.
  const stretches = kind === 'season' || kind === 'year' ? months : [to - from];
  let [next, count, areValid] = [from, 0, true];
  for (const length of stretches) {
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

/** Number of days from `from` to `to` (not included) that are not complete, and most of them in a row. */
function missingDays(
  variable: Variable,
  lengths: Float64Array,
  covered: Float64Array,
  from: number,
  to: number,
): { readonly missing: number; readonly inARow: number } {
  let [missing, inARow, most] = [0, 0, 0];
  for (let day = from; day < to; day += 1) {
    if (isEnough(variable, covered[day] as number, lengths[day] as number)) {
      inARow = 0;
      continue;
    }
    missing += 1;
    inARow += 1;
    if (inARow > most) most = inARow;
  }
  return { missing, inARow: most };
}

/** Most hours and days lack nothing. They share one object. */
const WHOLE = {
  time_80: { complete: true, valid: true, missing: 0, days: null, rule: 'time_80' },
  time_100: { complete: true, valid: true, missing: 0, days: null, rule: 'time_100' },
} as const satisfies Record<string, Completeness>;

/** Whether a time is enough for a variable. An unknown time (NaN) is not. */
export function isEnough(variable: Variable, covered: number, length: number): boolean {
  // Half a millisecond: 0.8 times a whole number may be above the whole number that it stands for.
  return covered >= length * (needsWholeTime(variable) ? 1 : COMPLETE_SHARE) - 0.5;
}

function isValidMonth(missing: number, inARow: number, needsAll: boolean, rule: MonthRule): boolean {
  if (needsAll) return missing === 0;
  return missing <= MONTH_RULES[rule].days && inARow <= MONTH_RULES[rule].inARow;
}
