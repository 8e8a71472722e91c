import type { EraseRange, EraseStep } from '#application/ports/observation-store.js';
import type { Series } from '#domain/weather/series.js';
import { eraseValues } from '#domain/weather/undo/erase-values.js';
import { endOf } from '#adapters/packed-store/chunks/chunk-days.js';
import { UndoneStations } from '#adapters/packed-store/undo-days.js';
import { changeDays, rebuildStates } from './change-days.js';
import { ask, type ObservationOperation } from './tables.js';

/** Implements `ObservationStore.erase`. */
export function* eraseStep(ranges: readonly EraseRange[]): ObservationOperation<EraseStep> {
  const rest = [...ranges];
  const undone = new UndoneStations();
  for (let range = rest.shift(); range !== undefined; range = rest.shift()) {
    const left = yield* eraseOldest(range, undone);
    if (left !== undefined) rest.unshift(left);
    if (yield* ask.mustCommit()) break;
  }
  const changes = yield* rebuildStates(undone);
  const erased = [...undone].map(([station, { rows, values }]) => ({ station, rows, values }));
  return { remaining: rest, erased, changes };
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
): ObservationOperation<EraseRange | undefined> {
  const { station, from, to, isExpiry = false } = range;
  if (from >= to) return undefined;
  const rules = (yield* ask.settle([station], isExpiry)).get(station);
  if (rules === undefined) return undefined;
  if (isExpiry && !(yield* ask.keepMonths(station, from, to))) return undefined;
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
