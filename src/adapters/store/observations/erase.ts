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

/** Erases values in the oldest chunks of a range. @returns the part of the range that remains; undefined if no chunk remains */
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
  // The days before and after the chunks are read too, because quality control needs their rows.
  const days = { station, first: oldest.day - 1, last: newest.day + newest.days };
  yield* changeDays([{ ...days, revert }], undone, !isExpiry);
  return isAll ? undefined : { ...range, from: end };
}
