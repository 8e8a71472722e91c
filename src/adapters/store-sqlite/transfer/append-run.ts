import type { StationRules } from '#domain/weather/quality/station-rules.js';
import { orderRows } from '#domain/weather/row-order.js';
import type { ObservationBatch } from '#domain/weather/series.js';
import { encodeRun } from '#adapters/formats/packed/run-codec.js';
import { divideBatch } from '#adapters/packed-store/days/divided-rows.js';
import type { Runs, StationStates } from '#adapters/packed-store/station-states.js';
import type { RunTable } from '#adapters/packed-store/write-target.js';

/**
 * Stores the rows of a batch as a run, which is one blob with rows of several stations, within the transaction of the caller.
 * Quality control has already checked the rows.
 *
 * @param appended sorted by (station, time)
 * @param rules for each station that exists, its rules of quality control
 * @returns false, and nothing is stored, if a station does not exist or a row is not newer than all stored rows of its station
 */
export function appendRun(
  appended: ObservationBatch,
  runs: Runs,
  rules: ReadonlyMap<number, StationRules>,
  states: StationStates,
  table: RunTable,
): boolean {
  if (appended.times.length === 0) return true;
  const { batch } = divideBatch(appended);
  const { groups } = orderRows(batch);
  for (const { station, from } of groups) {
    const { lastSeen } = states.of(station, runs).state;
    if (!rules.has(station) || (batch.times[from] as number) <= lastSeen) return false;
  }
  const places = groups.map(({ station, from, to }) => ({ station, from, inserted: to - from }));
  const { times, values, flags } = batch;
  const range = { first: Infinity, last: -Infinity };
  for (const time of times) {
    range.first = Math.min(range.first, time);
    range.last = Math.max(range.last, time);
  }
  const block = table.blockOf(0);
  const id = runs.last + 1;
  table.insert(block, id, times.length, range, encodeRun([block, id], places, { times, values, flags }));
  return true;
}
