import type { UndoStep } from '#application/ports/observation-store.js';
import { STEP_REACH } from '#domain/weather/quality-control.js';
import type { Series } from '#domain/weather/series.js';
import { cellClusters, revertCells, type StationCells } from '#domain/weather/undo/cell-changes.js';
import type { UndoTotal } from '#domain/weather/undo/undo-counts.js';
import { DamagedBlobError } from '#adapters/formats/packed/blob.js';
import { decodeJournal } from '#adapters/formats/packed/journal-codec.js';
import { divideCells } from '#adapters/packed-store/days/divided-rows.js';
import { daysAround, UndoneStations } from '#adapters/packed-store/undo-days.js';
import { type JournalEntry, lockForUndo, newestEntry, removeEntry } from '../imports/journal-entries.js';
import { changeDays, type DayChange, rebuildStates } from './change-days.js';
import { ask, type ObservationOperation } from './tables.js';

/**
 * Undoes the newest changes of an import; implements `ObservationStore.undo`. The journal of an import has an entry for each
 * commit. An entry contains the earlier values of all cells that the commit has changed. A cell is the value of one variable at
 * one time. For each of the newest entries:
 *
 * 1. The rows of the days around the changed cells are read, the earlier values are restored, and quality control checks the rows
 *    again.
 * 2. The rows are stored in chunks of 1, 8 or 64 days. Each chunk with a changed row is written again, or deleted if it has no
 *    rows left.
 *
 * At the end, the state of each station (newest values and totals) is computed from some of its chunks, and all cached states
 * expire.
 */
export function* undoStep(number: number): ObservationOperation<UndoStep> {
  const total = yield* lockForUndo(number);
  const undone = new UndoneStations();
  let entry: JournalEntry | undefined;
  do {
    entry = yield* newestEntry(number);
    if (entry === undefined) break;
    yield* revertEntry(number, entry, total, undone);
    yield* removeEntry(number, entry, total.counts);
  } while (entry.hasOlder && !(yield* ask.mustCommit()));
  return { isDone: entry?.hasOlder !== true, changes: yield* rebuildStates(undone) };
}

/**
 * @param total counts the cells that are restored and the cells that cannot be restored. A cell is the value of one variable at
 *   one time
 */
function* revertEntry(
  number: number,
  entry: JournalEntry,
  total: UndoTotal,
  undone: UndoneStations,
): ObservationOperation<void> {
  const cells = cellsOf(number, entry, total);
  const rules = yield* ask.settle(cells.map(({ station }) => station));
  const changes = cells.flatMap(({ station, cells: all }): DayChange[] => {
    const own = rules.get(station);
    if (own === undefined) {
      total.addWithoutStation(all);
      return [];
    }
    return [...cellClusters(all, 2 * STEP_REACH)].map((cluster) => {
      const [first, last] = daysAround(cluster);
      const revert = (stored: Series) => {
        const reverted = revertCells(stored, cluster, own);
        total.addReverted(reverted);
        return reverted;
      };
      return { station, first, last, revert };
    });
  });
  yield* changeDays(changes, undone);
}

function cellsOf(number: number, { data, rows }: JournalEntry, total: UndoTotal): readonly StationCells[] {
  try {
    return decodeJournal(number, data).flatMap(divideCells);
  } catch (error) {
    if (!(error instanceof DamagedBlobError)) throw error;
    total.addUnreadable(rows);
    return [];
  }
}
