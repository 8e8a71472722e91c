import type { EraseRange, EraseStep } from '#application/ports/observation-store.js';
import type { StationRules } from '#domain/weather/quality/station-rules.js';
import type { Series } from '#domain/weather/series.js';
import { eraseValues } from '#domain/weather/undo/erase-values.js';
import { endOf } from '#adapters/packed-store/chunks/chunk-days.js';
import { stationOf } from '#adapters/packed-store/days/daily-series.js';
import { divideRanges, ownRange } from '#adapters/packed-store/days/divided-rows.js';
import { UndoneStations } from '#adapters/packed-store/undo-days.js';
import { changeDays, rebuildStates } from './change-days.js';
import { ask, type ObservationOperation } from './tables.js';

/** Implements `ObservationStore.erase`. */
export function* eraseStep(ranges: readonly EraseRange[]): ObservationOperation<EraseStep> {
  const rest = [...ranges];
  const undone = new UndoneStations();
  for (let range = rest.shift(); range !== undefined; range = rest.shift()) {
    rest.unshift(...(yield* eraseBoth(range, undone)));
    if (yield* ask.mustCommit()) break;
  }
  const changes = yield* rebuildStates(undone);
  return { remaining: rest, erased: countErased(undone), changes };
}

/**
 * Erases values of both series of a station: its reports and its daily values.
 *
 * @returns the ranges that remain to be erased
 */
function* eraseBoth(range: EraseRange, undone: UndoneStations): ObservationOperation<EraseRange[]> {
  const { station, from, to, isExpiry = false } = range;
  if (from >= to) return [];
  const rules = (yield* ask.settle([station], isExpiry)).get(station);
  if (rules === undefined) return [];
  if (isExpiry && !(yield* ask.keepMonths(station, from, to))) return [];
  const halves = divideRanges([range]);
  for (let half = halves.shift(); half !== undefined; half = halves.shift()) {
    const left = yield* eraseOldest(half, undone, rules);
    if (left !== undefined) return [left, ...halves].map(ownRange);
  }
  return [];
}

function countErased(undone: UndoneStations): EraseStep['erased'] {
  const erased = new Map<number, { station: number; rows: number; values: number }>();
  for (const [series, { rows, values }] of undone) {
    const station = stationOf(series);
    const before = erased.get(station) ?? { rows: 0, values: 0 };
    erased.set(station, { station, rows: before.rows + rows, values: before.values + values });
  }
  return [...erased.values()];
}

/**
 * Erases values of a range, beginning with its oldest rows. The rows are stored in chunks of 1, 8 or 64 days, and one call
 * changes a limited number of chunks.
 *
 * @returns the part of the range that remains to be erased; undefined if nothing remains
 */
function* eraseOldest(
  range: EraseRange,
  undone: UndoneStations,
  rules: StationRules,
): ObservationOperation<EraseRange | undefined> {
  const { station, from, to, isExpiry = false } = range;
  const { chunks, isAll } = yield* ask.oldestChunks(station, from, to);
  const [oldest, newest] = [chunks[0], chunks.at(-1)];
  if (oldest === undefined || newest === undefined) return undefined;
  const end = Math.min(to, endOf(newest));
  const revert = (stored: Series) => eraseValues(stored, { ...range, to: end }, rules);
  // The day before and the day after the chunks, which contain the days to be erased, are read too. Quality control needs their
  // rows.
  const days = { station, first: oldest.day - 1, last: newest.day + newest.days };
  yield* changeDays([{ ...days, revert }], undone, !isExpiry);
  return isAll ? undefined : { ...range, from: end };
}
