import type { Database } from 'better-sqlite3';
import type { EraseRange, ObservationWrite } from '#application/ports/observation-store.js';
import type { ObservationBatch, Series } from '#domain/weather/series.js';
import type { DiscardRequest } from '#adapters/store/observations/discard.js';
import type { MovePosition } from '#adapters/store/observations/move-daily-values.js';
import type { Damage } from '#adapters/packed-store/damage.js';
import { fillTotals } from '../database/fill-totals.js';
import { ObservationWriter } from './observation-writer.js';
import type { MergeReach } from './run-merger.js';

/**
 * Maximum time in milliseconds for which one part of a merge may delay other operations. A merge moves rows from the blobs of
 * single commits into larger blobs.
 */
const MERGE_SLICE = 50;
/**
 * Milliseconds after which a write of many late rows commits the rows that are finished. Other operations run before the write
 * continues. The value is far below the time limit of a call of the store.
 */
const WRITE_SLICE = 1000;

/**
 * The writing operations of `SqliteObservationStore`, in the thread that owns the data file. A write stores its rows as one blob
 * in one commit. The rows of many writes are later moved at once into chunks, which are blobs with the rows of one station.
 * Rewriting a chunk for every row would cost a hundred times as much.
 *
 * @param writeSlice see `WRITE_SLICE`
 * @param mergeSlice see `MERGE_SLICE`
 */
export function observationOperations(
  database: Database,
  writeSlice = WRITE_SLICE,
  mergeSlice = MERGE_SLICE,
) {
  fillTotals(database);
  const writer = new ObservationWriter(database, writeSlice);
  return {
    ...writer.dailyAggregateOperations,
    writeObservations: (writes: readonly ObservationWrite[]) => writer.write(writes),
    continueWrite: (number: number) => writer.continue(number),
    undoImport: (number: number) => writer.undo(number),
    recheckRequests: (limit: number, after: number, collects: boolean) =>
      writer.requests(limit, after, collects),
    flagRows: (station: number, revision: string, rows: Series) =>
      writer.storeRechecked(station, revision, rows),
    appendObservations: (batch: ObservationBatch) => writer.append(batch),
    eraseObservations: (ranges: readonly EraseRange[]) => writer.erase(ranges),
    /**
     * Merges for a short time: moves rows of some stations from the blobs of single commits into larger blobs.
     *
     * @returns the progress; undefined if nothing is left to merge
     */
    mergeRuns: (reach: MergeReach = 'all') => writer.merge(mergeSlice, reach),
    /**
     * Moves new rows out of the blobs in which they wait:
     *
     * - Without `station`, all new rows are moved into chunks, which are blobs with the rows of one station.
     * - With `station`, the new rows of the block of this station (a group of 64 stations) are moved into chunks. In every
     *   other block, the new rows are moved into chunks if there are enough of them. Otherwise they are moved into a larger
     *   blob with rows of that block.
     */
    mergeAllRuns: (station?: number) => writer.mergeAll(station ?? 'all'),
    moveDailyValues: (after: MovePosition | undefined) => writer.moveDailyValues(after),
    putAside: (damage: Damage) => writer.putAside(damage),
    discardDamaged: (found: DiscardRequest) => writer.discard(found),
  };
}
