import { MONTH_RULES, type MonthRule } from '../summaries/completeness.js';

/**
 * When a number of a month, a year or a period is valid. WMO-No. 1203: WMO Guidelines on the Calculation of Climate Normals (2017).
 * climdex: the software of the ETCCDI, climdex.pcic 1.2-0. Replies and docs/weather/climate.md have these texts.
 */
export const VALIDITY = {
  wmo_1203: 'A mean or an extreme of a month: at most 10 missing days, and at most 4 in a row (WMO-No. 1203)',
  five_three:
    'A mean or an extreme of a month: at most 5 missing days, and at most 3 in a row (the older 5/3 rule, WMO-TD/No. 341)',
  every_day:
    'A sum or a number of days: no missing day (WMO-No. 1203); the greatest amount of a day: the same',
  every_month: 'A year: all of its months are valid (WMO-No. 1203)',
  years_80_percent:
    'An average of several years: the month is valid in at least 80 % of the years, 24 of 30 (WMO-No. 1203)',
  climdex_month: 'An index of a month: at most 3 missing days (climdex)',
  climdex_season:
    'An index of a season: at most 6 missing days, and at most 3 in each of its three months (climdex)',
  climdex_year: 'An index of a year: at most 15 missing days, and at most 3 in each month (climdex)',
  climdex_spell:
    'A longest spell of a year: as climdex_year; and a spell ends in the year, or the year has none (climdex)',
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

export function meanHolds(rule: MonthRule, { missing, inRow }: Gaps): boolean {
  const { days, inARow } = MONTH_RULES[rule];
  return missing <= days && inRow <= inARow;
}

/** Share of the years of a period whose value of a month must be valid. */
const SHARE_OF_YEARS = 0.8;

/** Number of years that an average of `years` years needs. */
export function yearsNeeded(years: number): number {
  return Math.ceil(SHARE_OF_YEARS * years);
}

/** A number of a month, a year or a period, with what it stands on. */
export interface Figure {
  /** NaN if it is not valid. */
  readonly value: number;
  /** Number of days that have a value. */
  readonly days: number;
  /** Number of days that have none. */
  readonly missing: number;
  readonly rule: Validity;
  readonly valid: boolean;
  /** The day of an extreme, as days from 1970-01-01; the first of several. NaN if there is none. */
  readonly date?: number;
  /** Of an average of years: the number of years in it. */
  readonly years?: number;
  readonly missingYears?: number;
  /** Of a month or a year that is not over. Such a period is not valid. */
  readonly soFar?: SoFar;
}

/** A number of the days of a period that are over. No rule judges it. */
export interface SoFar {
  /** NaN if none of these days has a value. */
  readonly value: number;
  /** As in `Figure`. */
  readonly date?: number;
  /** Number of these days that have a value. */
  readonly days: number;
  /** Number of these days that have none. */
  readonly missing: number;
  /** The last of these days, as days from 1970-01-01; NaN without one. */
  readonly until: number;
}

/** The figures of one period, in the order of the elements of their table. */
export interface ClimateRow {
  /** `2013-07`, `2013`, or `07` for a month of all years. */
  readonly label: string;
  readonly figures: readonly Figure[];
}

/** @param value counts only if `valid` */
export function figure(
  value: number,
  counts: { readonly days: number; readonly missing: number },
  rule: Validity,
  valid: boolean,
): Figure {
  const holds = valid && !Number.isNaN(value);
  return { value: holds ? value : Number.NaN, ...pick(counts), rule, valid: holds };
}

function pick({ days, missing }: { readonly days: number; readonly missing: number }) {
  return { days, missing };
}
