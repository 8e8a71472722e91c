import { setTimeout as sleep } from 'node:timers/promises';
import { TemporalCalendar } from '#adapters/calendar-temporal/temporal-calendar.js';
import { MaintainDailyAggregates } from '#application/observations/read/maintain-daily-aggregates.js';
import type { RecheckObservations } from '#application/observations/recheck/recheck-observations.js';
import type { Stores } from '#application/ports/stores.js';
import { MILLISECONDS } from '#domain/time.js';
import type { ObservationBatch } from '#domain/weather/series.js';
import type { StationEdit } from '#domain/weather/station-edit.js';
import type { StationDraft } from '#domain/weather/station.js';
import { emptyFields, layoutOf } from '#domain/weather/summaries/layout.js';
import { variableNumbered } from '#domain/weather/variables.js';
import { compareFlags, RECHECK_FROM } from './churned-flags.js';
import { recheckOf } from './recheck.js';
import { openQuickly } from './open-quickly.js';
import { WATCH } from './verify-watch.js';

/**
 * A process that verifies a store and then works until it is killed. It does the following at the same time:
 *
 * - It writes rows in steps. Each step writes a row of each station, adds a value to an older row of each station, changes the
 *   limits of some stations, computes daily aggregates, and removes old rows. The process sends the number of each step that the
 *   store has acknowledged.
 * - It merges the stored pieces of several writes.
 * - It checks the quality of stored rows again.
 *
 * In the mode `make`, the process only creates the stations. In the mode `verify`, the process compares all rows, completes the
 * recheck, and compares all flags.
 */
const [folder = '', databaseUrl = '', known = '0', mode = 'churn'] = process.argv.slice(2);
/** Number of stations. A store groups 64 stations in a block, so these stations belong to two blocks. */
const STATIONS = 70;
const CALENDAR = new TemporalCalendar();
const START = Date.UTC(2024, 0, 1);
const STEP = 16 * MILLISECONDS.day;
/** Number of steps between the first value and the second value of a row. */
const SECOND_VALUE_DELAY = 7;
/**
 * Age in ms after which rows are removed. It is longer than `SECOND_VALUE_DELAY` steps, so that no value arrives for a removed
 * month.
 */
const KEPT_TIME = 120 * MILLISECONDS.day;
/** Number of stations whose old rows are removed after each step. */
const REMOVED_AT_ONCE = 7;
/** Number of stations whose old rows expire. All other stations keep all rows. */
const EXPIRING = 42;
/** Number of stations whose limits change in each step. */
const CHANGED_AT_ONCE = 10;
/** If more steps than this number are stored, old rows must have been removed. */
const REMOVING = 20;
const ZONE = 'Europe/Lisbon';

const timeOf = (step: number) => START + step * STEP;
const valueOf = (station: number, step: number) => ((station * 7 + step) % 31) / 2;

const DRAFTS: readonly StationDraft[] = Array.from({ length: STATIONS }, (_, index) => ({
  id: `s${index}`,
  name: 'Station',
  latitude: 0,
  longitude: 0,
  elevation: null,
  timeZone: ZONE,
  identifiers: {},
  reportingInterval: null,
  limits: {},
}));

const stores = await openQuickly(folder, databaseUrl);
if (mode === 'make') {
  await stores.stations.put(DRAFTS);
  await stores.close();
} else {
  await verify(stores);
  if (mode === 'verify') {
    const stored = await compareRows(stores, Number(known));
    await compareFlags(stores, { drafts: DRAFTS, rowsOf, editsOf }, stored, Number(known));
    await stores.close();
  } else {
    // A step can be stored although it was not acknowledged, so the step after the last acknowledged step is written again.
    let step = Number(known);
    void mergeAlways();
    void recheckForever(recheckOf(stores));
    for (; ; step += 1) {
      await stores.observations.write([{ batch: rowsOf(step) }]);
      await stores.stations.change(editsOf(step), { recheckAround: RECHECK_FROM });
      process.send?.(step);
      await removeSome(step);
    }
  }
}

function rowsOf(step: number): ObservationBatch {
  const numbers = Array.from({ length: STATIONS }, (_, index) => index + 1);
  const rows = [
    ...(step < SECOND_VALUE_DELAY
      ? []
      : numbers.map((station) => [station, step - SECOND_VALUE_DELAY, Number.NaN, step % 90] as const)),
    ...numbers.map((station) => [station, step, valueOf(station, step), Number.NaN] as const),
  ];
  return {
    stations: Uint32Array.from(rows, ([station]) => station),
    times: Float64Array.from(rows, ([, one]) => timeOf(one)),
    values: new Map([
      [1, Float64Array.from(rows, ([, , value]) => value)],
      [4, Float64Array.from(rows, ([, , , value]) => value)],
    ]),
    flags: new Map(),
  };
}

/** Changes the limits of the second variable, so that the values of this variable, 0 to 89, alternately fail and pass. */
function editsOf(step: number): StationEdit[] {
  const hasPassed = Math.floor((step * CHANGED_AT_ONCE) / STATIONS) % 2 === 1;
  const limits = { [variableNumbered(4).name]: { min: -1, max: hasPassed ? 0.5 : 89.5 } };
  return Array.from({ length: CHANGED_AT_ONCE }, (_, count) => {
    return { id: `s${(step * CHANGED_AT_ONCE + count) % STATIONS}`, change: { limits } };
  });
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

/** Verifies the store. @throws Error if the check finds a fault */
async function verify({ verifier }: Stores): Promise<void> {
  const found = await verifier.verify(WATCH);
  const faults = [...(found?.faults ?? []), ...(found?.damage ?? []), ...(found?.differences ?? [])];
  if (faults.length > 0) throw new Error(`The check has found faults: ${JSON.stringify(faults)}`);
}

/**
 * Compares the rows, the daily aggregates and the totals with the expected values.
 *
 * @param steps number of acknowledged steps. One further step may be stored that was not acknowledged
 * @returns the number of stored steps
 * @throws Error if a value differs
 */
async function compareRows(
  { observations, stations, dailyAggregates }: Stores,
  steps: number,
): Promise<number> {
  const removed = await stations.expiredUntil();
  const [inventory] = await observations.inventory([1]);
  const stored = inventory?.last == null ? 0 : (inventory.last - START) / STEP + 1;
  if (stored < steps || stored > steps + 1) throw new Error(`${stored} steps are stored instead of ${steps}`);
  if (stored > REMOVING && removed.size === 0) throw new Error(`No rows of ${stored} steps were removed.`);
  const counts = new Map<number, number>();
  for await (const { stations: numbers, times, values } of observations.read({ from: 0, to: 8e15 })) {
    for (const [row, station] of numbers.entries()) {
      const step = ((times[row] as number) - START) / STEP;
      const second = step + SECOND_VALUE_DELAY < stored ? (step + SECOND_VALUE_DELAY) % 90 : Number.NaN;
      const [one, other] = [values.get(1)?.[row], values.get(4)?.[row] ?? Number.NaN];
      // A row always has its first value. It has its second value only if a later step has written this value.
      if (one !== valueOf(station, step) || !Object.is(other, second))
        throw new Error(`Step ${step} of station ${station} has ${one} and ${other}`);
      counts.set(station, (counts.get(station) ?? 0) + 1);
    }
  }
  if (stored === 0) return 0;
  for (let station = 1; station <= STATIONS; station += 1) {
    const months = await dailyAggregates.find({
      stations: [station],
      timeZone: ZONE,
      from: 0,
      to: removed.get(station) ?? 0,
    });
    // The daily aggregates still contain the number of rows of the months whose rows were removed.
    const summed = (months ?? []).flatMap((month) => {
      const fields = emptyFields(layoutOf(variableNumbered(1)), month.days);
      month.copyTo(1, fields, 0);
      return [...(fields[0] ?? [])];
    });
    const until = removed.get(station) ?? -Infinity;
    const remainingRows = Array.from({ length: stored }, (_, step) => timeOf(step)).filter(
      (time) => time >= until,
    ).length;
    const total = summed.reduce((sum, count) => sum + count, 0) + remainingRows;
    const rows = counts.get(station) ?? 0;
    // `rows` may be larger than `remainingRows`, because an interrupted removal can leave rows of the removed months.
    if (total !== stored || rows < remainingRows)
      throw new Error(`Station ${station} has ${rows} rows, ${total} of ${stored} steps`);
  }
  return stored;
}
