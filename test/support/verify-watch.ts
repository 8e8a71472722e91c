import { TemporalCalendar } from '#adapters/calendar-temporal/temporal-calendar.js';
import type { VerifyWatch } from '#application/ports/data-verifier.js';

const CALENDAR = new TemporalCalendar();

/**
 * The options of a verification of stored data. The verification needs a calendar, because daily aggregates depend on the days of
 * a time zone.
 */
export const WATCH: VerifyWatch = {
  daysOf: (timeZone, start, end) => CALENDAR.buckets('day', timeZone, 0, start, end),
};
