import { MONTH_RULES, type MonthRule } from '../summaries/completeness.js';
import { type NumberSource, numberSource, originOf } from './provenance.js';

/**
 * Rules that decide whether a number of a month, a year or a period is valid. The texts are shown in replies and in the
 * documentation. In the texts, "WMO-No. 1203" means the WMO Guidelines on the Calculation of Climate Normals (2017), and
 * "climdex" means climdex.pcic 1.2-0, the software of the ETCCDI.
 */
export const VALIDITY = {
  wmo_1203: 'A mean or an extreme of a month: at most 10 missing days, and at most 4 in a row (WMO-No. 1203)',
  five_three:
    'A mean or an extreme of a month: at most 5 missing days, and at most 3 in a row (the older 5/3 rule, WMO-TD/No. 341)',
  every_day:
    'A sum or a number of days: no missing day (WMO-No. 1203); the greatest amount of a day: the same. The days of a published amount of several ' +
    'days are known for a sum if all of them are in the month; for a number of days and the greatest amount they are missing',
  every_month:
    'A year: all of its months are valid (WMO-No. 1203); for a sum, the days of a published amount of several days may be in two months',
  years_80_percent:
    'An average of several years: the month is valid in at least 80 % of the years, 24 of 30 (WMO-No. 1203)',
  anomaly:
    'An anomaly: the number of the month or the year and its normal are valid; a percentage needs a normal above 0',
  complete_days:
    'A longest run of days: complete days only; an unknown day ends a run, so the true run may be longer (`may_be_longer`)',
  climdex_month: 'An index of a month: at most 3 missing days (climdex)',
  climdex_season:
    'An index of a season: at most 6 missing days, and at most 3 in each of its three months (climdex)',
  climdex_year: 'An index of a year: at most 15 missing days, and at most 3 in each month (climdex)',
  climdex_spell:
    'A longest spell of a year: as climdex_year; and a spell ends in the year, or the year has none (climdex)',
  climdex_base:
    'An index with a base period: at least 80 % of the days of the base period are known; otherwise as climdex_month, climdex_season or ' +
    'climdex_year',
  standardized:
    'An index of drought: the sum is valid, and the reference has at least 20 valid sums of the same time of the year (WMO-No. 1090)',
  sum_of_months:
    'A sum of months: no amount of a day is missing; the evapotranspiration of a month is valid as a mean (WMO-No. 1203)',
  extremes:
    'Return levels: at least 20 years with a valid maximum; a year has at most 15 missing days, and at most 3 in each month',
  climdex_southern_season:
    'The growing season of the southern hemisphere, from July to June: at most 15 missing days (climdex)',
} as const;
export type Validity = keyof typeof VALIDITY;

/** The missing days of a period. */
export interface Gaps {
  readonly missing: number;
  /** Length of the longest gap. */
  readonly inRow: number;
}

/** Whether a mean or an extreme of a month with these gaps is valid. */
export function meetsMonthRule(rule: MonthRule, { missing, inRow }: Gaps): boolean {
  const { days, inARow } = MONTH_RULES[rule];
  return missing <= days && inRow <= inARow;
}

/** Smallest share of valid years in an average of several years. */
const SHARE_OF_YEARS = 0.8;

/** Smallest number of valid years in an average of `years` years. */
export function yearsNeeded(years: number): number {
  return Math.ceil(SHARE_OF_YEARS * years);
}

/** The days that support a climate value of a period, and the source of the value. */
export interface Support extends NumberSource {
  /** Number of days with a value. */
  readonly days: number;
  /** Number of days without a value. */
  readonly missing: number;
  /**
   * Number of days of published amounts of several days, if there are any: days whose amount is known only together with other days.
   * In a sum they are days with a value, in other numbers they are missing.
   */
  readonly multidayDays?: number;
  /** Number of missing days of a sum that are days of an amount whose other days are outside the period. */
  readonly splitDays?: number;
}

/** A climate value of a period, for example the mean temperature of a month, and the data that support it. */
export interface Figure extends Support {
  /** The number; NaN if the number is not valid. */
  readonly value: number;
  readonly rule: Validity;
  readonly valid: boolean;
  /** For an extreme: the first day with this value, as days from 1970-01-01; NaN if the number is not valid. */
  readonly date?: number;
  /** For an average of several years: number of its years. */
  readonly years?: number;
  readonly missingYears?: number;
  /** The number so far, for a month or a year that is not over. The final number of such a period is not valid. */
  readonly soFar?: SoFar;
}

/** The number so far of a running period, from its past days. No validity rule applies to this number. */
export interface SoFar {
  /** NaN if no past day of the period has a value. */
  readonly value: number;
  /** For an extreme: the first day with this value, as days from 1970-01-01; NaN if no past day has a value. */
  readonly date?: number;
  /** Number of past days of the period with a value. */
  readonly days: number;
  /** Number of past days of the period without a value. */
  readonly missing: number;
  /** The last past day of the period, as days from 1970-01-01; NaN if the period has no past day. */
  readonly until: number;
}

/**
 * A row of a climate table: the numbers of one period, each with the data that support it (`Figure`). The order of the numbers is
 * the same in all rows of a table.
 */
export interface ClimateRow {
  /** `2013-07`, `2013`, or `07` for a month of all years. */
  readonly label: string;
  readonly figures: readonly Figure[];
}

/**
 * Creates a `Figure`, which is a number of a period with the data that support it.
 *
 * @param value the number, which becomes NaN if `valid` is false
 */
export function figure(value: number, support: Support, rule: Validity, valid: boolean): Figure {
  const isValid = valid && !Number.isNaN(value);
  return { value: isValid ? value : Number.NaN, ...pick(support), rule, valid: isValid };
}

function pick({ days, missing, source, dailyDays, multidayDays, splitDays }: Support): Support {
  return {
    days,
    missing,
    ...(source !== undefined && { source }),
    ...(dailyDays !== undefined && { dailyDays }),
    ...(multidayDays !== undefined && { multidayDays }),
    ...(splitDays !== undefined && { splitDays }),
  };
}

/** Adds up the days of several periods, for example of the 12 months of a year. */
export function addSupport(parts: readonly Support[]): Support {
  const sum = (of: (part: Support) => number | undefined) =>
    parts.reduce((total, part) => total + (of(part) ?? 0), 0);
  const origin = parts.reduce((bits, { source }) => bits | originOf(source), 0);
  const [multidayDays, splitDays] = [sum((part) => part.multidayDays), sum((part) => part.splitDays)];
  return {
    days: sum(({ days }) => days),
    missing: sum(({ missing }) => missing),
    ...numberSource(
      origin,
      sum(({ dailyDays }) => dailyDays),
    ),
    ...(multidayDays > 0 && { multidayDays }),
    ...(splitDays > 0 && { splitDays }),
  };
}
