import { setTimeout as sleep } from 'node:timers/promises';
import { TemporalCalendar } from '#adapters/calendar-temporal/temporal-calendar.js';
import { MaintainDailyAggregates } from '#application/observations/read/maintain-daily-aggregates.js';
import type { RecheckObservations } from '#application/observations/recheck/recheck-observations.js';
import { MILLISECONDS } from '#domain/time.js';
import { editsOf, RECHECK_FROM, rowsOf, ZONE } from './churned-steps.js';
import { recheckOf } from './recheck.js';
import { openQuickly } from './open-quickly.js';
import { verify } from './verify-watch.js';

/**
 * A process that verifies a store and then works until it is killed. It does the following at the same time:
 *
 * - It writes rows in steps. Each step writes a row of each station, adds a value to an older row of each station, changes the
 *   limits of some stations, computes daily aggregates, and removes old rows. The process sends the number of each step that the
 *   store has acknowledged.
 * - It merges the stored pieces of several writes.
 * - It checks the quality of stored rows again.
 */
const [folder = '', databaseUrl = '', known = '0'] = process.argv.slice(2);
const CALENDAR = new TemporalCalendar();
/**
 * Age in ms after which rows are removed. It is longer than `SECOND_VALUE_DELAY` steps, so that no value arrives for a removed
 * month.
 */
const KEPT_TIME = 120 * MILLISECONDS.day;
/** Number of stations whose old rows are removed after each step. */
const REMOVED_AT_ONCE = 7;
/** Number of stations whose old rows expire. All other stations keep all rows. */
const EXPIRING = 42;

const stores = await openQuickly(folder, databaseUrl);
await verify(stores);
void mergeAlways();
void recheckForever(recheckOf(stores));
// A step can be stored although it was not acknowledged, so the step after the last acknowledged step is written again.
for (let step = Number(known); ; step += 1) {
  await stores.observations.write([{ batch: rowsOf(step) }]);
  await stores.stations.change(editsOf(step), { recheckAround: RECHECK_FROM });
  process.send?.(step);
  await removeSome(step);
}

async function recheckForever(recheck: RecheckObservations): Promise<void> {
  for (;;) await recheck.execute().then(() => sleep(3));
}

async function mergeAlways(): Promise<void> {
  const merging = stores.observations as unknown as { merge(scope: string): Promise<void> };
  for (let round = 0; ; round += 1) await merging.merge(round % 4 === 3 ? 'all' : 'due').then(() => sleep(3));
}

/**
 * Computes the daily aggregates of old months of some stations, then removes the rows of these months. It must not run during a
 * write: a write drops the daily aggregates of the stations that it changes, so the removed rows would not be in any aggregates.
 */
async function removeSome(step: number): Promise<void> {
  const keep = new MaintainDailyAggregates(CALENDAR, stores.observations, stores.dailyAggregates);
  for (let count = 0; count < REMOVED_AT_ONCE; count += 1) {
    const index = (step * REMOVED_AT_ONCE + count) % EXPIRING;
    const described = await stores.observations.describe(`s${index}`);
    const { first = null, last = null } = described?.inventory ?? {};
    if (described === undefined || first === null || last === null) continue;
    const months = CALENDAR.buckets('month', ZONE, 0, first, last).filter(
      ({ end }) => end <= last - KEPT_TIME,
    );
    const [from, to] = [months[0]?.start ?? 0, months.at(-1)?.end ?? 0];
    await keep.compute(described.station, months);
    await stores.observations.erase([{ station: index + 1, from, to, isExpiry: true }]);
  }
}
