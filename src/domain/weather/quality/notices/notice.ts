import { MILLISECONDS } from '#domain/time.js';

/** What a notice is about. The names are part of the API. */
export const NOTICE_KINDS = [
  'night_radiation',
  'clock',
  'stuck_calm',
  'low_variability',
  'level',
  'rain_missing',
  'rain_ratio',
  'steady_rain',
  'extreme_rain',
  'unusual_hours',
  'unusual_day',
  'daily_streak',
  'contradictory_days',
  'day_unlike_neighbors',
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** The facts of a notice, by name. The name ends with the unit where the unit is not the unit of the variable. */
export type NoticeFacts = Readonly<Record<string, number>>;

/** Facts that are a number of hours, minutes, days or nights, a ratio, or a temperature beside an amount. All others are in the unit of the variable. */
const OWN_UNIT = /(?:^|_)(?:hours|minutes|days|nights|ratio|celsius)$/;
/** Facts that are the difference of two values, or a standard deviation. */
const DIFFERENCE = /(?:^|_)(?:difference|change|deviation)(?:_|$)/;

/** Whether a fact is in the unit of the variable. */
export function isInUnit(fact: string): boolean {
  return !OWN_UNIT.test(fact);
}

/** Whether the offset of a unit is left out when a fact is converted: a difference of 1 °C is 1.8 °F, not 33.8 °F. */
export function isDifference(fact: string): boolean {
  return DIFFERENCE.test(fact);
}

/** Time in ms for which a notice is shown after its end. */
export const RECENT_NOTICE = 7 * MILLISECONDS.day;

/**
 * A notice says: look at these values. It takes no value out of means, because the cause is not sure, or because it lasts longer than
 * a verdict can see.
 */
export interface Notice {
  readonly kind: NoticeKind;
  /** Number of the variable. */
  readonly variable: number;
  /** Time of the begin, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly since: number;
  /** Time of the end; null if the cause had not ended at the last observed value. */
  readonly until: number | null;
  readonly facts: NoticeFacts;
  /** `Station.number` of each neighbor whose values were compared; empty if the station was checked alone. */
  readonly comparedWith: readonly number[];
}

/** Whether a notice and a range have a time in common. */
export function touches(
  { since, until }: Pick<Notice, 'since' | 'until'>,
  { from, to }: { readonly from: number; readonly to: number },
): boolean {
  return since < to && (until ?? Infinity) > from;
}
