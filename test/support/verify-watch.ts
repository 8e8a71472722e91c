import { TemporalCalendar } from '#adapters/calendar-temporal/temporal-calendar.js';
import type { VerifyWatch } from '#application/ports/data-verifier.js';
import type { Stores } from '#application/ports/stores.js';

const CALENDAR = new TemporalCalendar();

/**
 * The options of a verification of stored data. The verification needs a calendar, because daily aggregates depend on the days of
 * a time zone.
 */
export const WATCH: VerifyWatch = {
  daysOf: (timeZone, start, end) => CALENDAR.buckets('day', timeZone, 0, start, end),
};

/** Verifies the store. @throws Error if the check finds a fault */
export async function verify({ verifier }: Stores): Promise<void> {
  const { faults, damage, differences } = await verifier.verify(WATCH);
  const found = [...faults, ...damage, ...differences];
  if (found.length > 0) throw new Error(`The check has found faults: ${JSON.stringify(found)}`);
}
