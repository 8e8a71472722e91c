import { type CalendarTime, daysInMonth, MILLISECONDS } from './time.js';

const { second, minute, hour, day } = MILLISECONDS;
const MONTH = 30 * day;

/**
 * A duration as text, always with all six units: `1 months 0 days 0 hours 0 minutes 0 seconds 0 milliseconds`. A month counts as
 * 30 days, so that the default token lifetime of 30 days is shown as one month.
 *
 * @param milliseconds not negative; fractions of a millisecond are dropped
 */
export function humanDuration(milliseconds: number): string {
  const whole = Math.floor(milliseconds);
  const months = Math.floor(whole / MONTH);
  const days = Math.floor((whole % MONTH) / day);
  const hours = Math.floor((whole % day) / hour);
  const minutes = Math.floor((whole % hour) / minute);
  const seconds = Math.floor((whole % minute) / second);
  return `${months} months ${days} days ${hours} hours ${minutes} minutes ${seconds} seconds ${whole % second} milliseconds`;
}

/** A duration in calendar months, calendar days and milliseconds. A calendar day may have 23 to 25 hours. */
export interface CalendarDuration {
  readonly months: number;
  readonly days: number;
  readonly milliseconds: number;
}

/** The rule for the texts that `parseDuration` accepts, as a part of messages. */
export const DURATION_RULE =
  'a duration such as 90min, 24h, 7d, 2w, 1y or one of ISO 8601 (P1M, PT36H), of at most 1000 years';

const SHORT = /^(\d{1,9})(min|h|d|w|y)$/;
const ISO =
  /^P(?=.)(?:(\d{1,9})Y)?(?:(\d{1,9})M)?(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?=.)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$/;
/** `MONTH_DAYS`: number of days of a mean month. `MAX_DAYS`: number of days of the longest duration, 1000 years. */
const MONTH_DAYS = 365.25 / 12;
const MAX_DAYS = 365_250;

/** Parses a duration that is longer than zero. @returns undefined for texts that `DURATION_RULE` does not permit */
export function parseDuration(text: string): CalendarDuration | undefined {
  const [, count, unit] = SHORT.exec(text) ?? [];
  const parsed = count === undefined ? parseIso(text) : shortDuration(Number(count), unit as string);
  if (parsed === undefined) return undefined;
  const days = parsed.months * MONTH_DAYS + parsed.days + parsed.milliseconds / day;
  return days > 0 && days <= MAX_DAYS ? parsed : undefined;
}

function shortDuration(count: number, unit: string): CalendarDuration {
  const none = { months: 0, days: 0, milliseconds: 0 };
  switch (unit) {
    case 'min':
      return { ...none, milliseconds: count * minute };
    case 'h':
      return { ...none, milliseconds: count * hour };
    case 'y':
      return { ...none, months: 12 * count };
    default:
      return { ...none, days: unit === 'w' ? 7 * count : count };
  }
}

function parseIso(text: string): CalendarDuration | undefined {
  const match = ISO.exec(text);
  if (match === null) return undefined;
  const [, years = '0', months = '0', weeks = '0', days = '0', hours = '0', minutes = '0', seconds = '0'] =
    match;
  return {
    months: 12 * Number(years) + Number(months),
    days: 7 * Number(weeks) + Number(days),
    milliseconds: Number(hours) * hour + Number(minutes) * minute + Number(seconds) * second,
  };
}

/**
 * The calendar time that is `months` months and `days` days before `time`. If the earlier month is too short for the day, the
 * last day of the month is used. For example, one month before 31 March is 28 or 29 February.
 */
export function earlierDate(time: CalendarTime, { months, days }: CalendarDuration): CalendarTime {
  const month = 12 * time.year + (time.month - 1) - months;
  const [year, index] = [Math.floor(month / 12), ((month % 12) + 12) % 12];
  const date = new Date(0);
  date.setUTCFullYear(year, index, Math.min(time.day, daysInMonth(year, index + 1)) - days);
  return { ...time, year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}
