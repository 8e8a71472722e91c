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
import { compareFlags, JUDGE_AROUND } from './churned-flags.js';
import { recheckOf } from './recheck.js';
import { openQuickly } from './open-quickly.js';
import { WATCH } from './verify-watch.js';

/**
 * A process that verifies a store, and then writes, merges, judges, makes tables of days and removes old rows all the time,
 * until it is killed. It sends each step that has been acknowledged. In the mode `verify` it compares all rows, judges what is
 * left, and compares all flags.
 *
 * In each step it writes a row of every station, adds a value to an older row of every station, and changes the limits of
 * some stations.
 */
const [folder = '', databaseUrl = '', known = '0', mode = 'churn'] = process.argv.slice(2);
/** In two blocks. */
const STATIONS = 70;
const CALENDAR = new TemporalCalendar();
const START = Date.UTC(2024, 0, 1);
const STEP = 16 * MILLISECONDS.day;
/** Number of steps after which a row gets its second value. */
const LATER = 7;
/** Longer than `LATER` steps, so that no value is late for a month that was removed. */
const KEPT = 120 * MILLISECONDS.day;
/** Number of stations whose old rows are removed after a step. */
const REMOVED_AT_ONCE = 7;
/** Number of stations whose old rows are removed. The others keep all rows. */
const EXPIRING = 42;
/** Number of stations whose limits are changed in a step. */
const CHANGED_AT_ONCE = 10;
/** Number of steps after which the first months must have been removed. */
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
    // The last step may be stored without having been acknowledged.
    let step = Number(known);
    void mergeAlways();
    void recheckForever(recheckOf(stores));
    for (; ; step += 1) {
      await stores.observations.write([{ batch: rowsOf(step) }]);
      await stores.stations.change(editsOf(step), { recheckAround: JUDGE_AROUND });
      process.send?.(step);
      await removeSome(step);
    }
  }
}

function rowsOf(step: number): ObservationBatch {
  const numbers = Array.from({ length: STATIONS }, (_, index) => index + 1);
  const rows = [
    ...(step < LATER
      ? []
      : numbers.map((station) => [station, step - LATER, Number.NaN, step % 90] as const)),
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

/** Changes the limits of the second variable, so that its values, 0 to 89, fail and pass in turns. */
function editsOf(step: number): StationEdit[] {
  const hasPassed = Math.floor((step * CHANGED_AT_ONCE) / STATIONS) % 2 === 1;
  const limits = { [variableNumbered(4).name]: { min: -1, max: hasPassed ? 0.5 : 89.5 } };
  return Array.from({ length: CHANGED_AT_ONCE }, (_, count) => {
    return { id: `s${(step * CHANGED_AT_ONCE + count) % STATIONS}`, change: { limits } };
  });
}

async function recheckForever(recheck: RecheckObservations): Promise<void> {
  for (;;) await recheck.execute(undefined, 0).then(() => sleep(3));
}

async function mergeAlways(): Promise<void> {
  const merging = stores.observations as unknown as { merge(scope: string): Promise<void> };
  for (let round = 0; ; round += 1) await merging.merge(round % 4 === 3 ? 'all' : 'due').then(() => sleep(3));
}

/** Removes the old rows of some stations. No writes meanwhile: a table of days is not kept if its station has changed since. */
async function removeSome(step: number): Promise<void> {
  const keep = new MaintainDailyAggregates(CALENDAR, stores.observations, stores.dailyAggregates);
  for (let count = 0; count < REMOVED_AT_ONCE; count += 1) {
    const index = (step * REMOVED_AT_ONCE + count) % EXPIRING;
    const described = await stores.observations.describe(`s${index}`);
    const { first = null, last = null } = described?.inventory ?? {};
    if (described === undefined || first === null || last === null) continue;
    const months = CALENDAR.buckets('month', ZONE, 0, first, last).filter(({ end }) => end <= last - KEPT);
    const [from, to] = [months[0]?.start ?? 0, months.at(-1)?.end ?? 0];
    await keep.make(described.station, months);
    await stores.observations.erase([{ station: index + 1, from, to, isExpiry: true }]);
  }
}

/** @throws Error */
async function verify({ verifier }: Stores): Promise<void> {
  const found = await verifier.verify(WATCH);
  const faults = [...(found?.faults ?? []), ...(found?.damage ?? []), ...(found?.differences ?? [])];
  if (faults.length > 0) throw new Error(`the check has found ${JSON.stringify(faults)}`);
}

/**
 * Compares the rows, the tables of days and the totals with what must be there.
 *
 * @param steps number of acknowledged steps. One more may be stored
 * @returns the number of stored steps
 * @throws Error
 */
async function compareRows(
  { observations, stations, dailyAggregates }: Stores,
  steps: number,
): Promise<number> {
  const removed = await stations.expiredUntil();
  const [inventory] = await observations.inventory([1]);
  const stored = inventory?.last == null ? 0 : (inventory.last - START) / STEP + 1;
  if (stored < steps || stored > steps + 1) throw new Error(`${stored} steps are stored instead of ${steps}`);
  if (stored > REMOVING && removed.size === 0) throw new Error(`nothing of ${stored} steps was removed`);
  const counts = new Map<number, number>();
  for await (const { stations: numbers, times, values } of observations.read({ from: 0, to: 8e15 })) {
    for (const [row, station] of numbers.entries()) {
      const step = ((times[row] as number) - START) / STEP;
      const second = step + LATER < stored ? (step + LATER) % 90 : Number.NaN;
      const [one, other] = [values.get(1)?.[row], values.get(4)?.[row] ?? Number.NaN];
      // What was removed before it got its second value keeps its first.
      if (one !== valueOf(station, step) || !Object.is(other, second))
        throw new Error(`step ${step} of station ${station} has ${one} and ${other}`);
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
    // The sums of months whose rows are gone count them.
    const summed = (months ?? []).flatMap((month) => {
      const fields = emptyFields(layoutOf(variableNumbered(1)), month.days);
      month.copyTo(1, fields, 0);
      return [...(fields[0] ?? [])];
    });
    const until = removed.get(station) ?? -Infinity;
    const rest = Array.from({ length: stored }, (_, step) => timeOf(step)).filter(
      (time) => time >= until,
    ).length;
    const total = summed.reduce((sum, count) => sum + count, 0) + rest;
    const rows = counts.get(station) ?? 0;
    // A removal that was interrupted leaves rows that have been summed up.
    if (total !== stored || rows < rest)
      throw new Error(`station ${station} has ${rows} rows, ${total} of ${stored} steps`);
  }
  return stored;
}
