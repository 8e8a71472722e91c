import type { StoreWriter } from '#application/ports/store-writer.js';
import type { MergeScope } from '#adapters/packed-store/merge-schedule.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import type { SqliteObservationStore } from '../observations/sqlite-observation-store.js';
import type { WriteProgress } from '../observations/observation-writer.js';
import { MERGE, REQUEST_MERGE } from './remote-merging.js';

/**
 * Performs the operations that other processes send to this process, because only this process writes to the data file. Other
 * processes send them with `RemoteWriter` and `RemoteMerging`.
 */
export function performFor(database: SqliteDatabase, observations: SqliteObservationStore): StoreWriter {
  return {
    perform: async (operation, parameters) => {
      if (operation === REQUEST_MERGE) return observations.requestMerge();
      if (operation === MERGE) return await observations.merge(parameters[0] as MergeScope);
      const result = await database.perform(operation, parameters);
      return operation === 'writeObservations' ? await finished(database, result as WriteProgress) : result;
    },
  };
}

/**
 * Finishes a write in this process, so that all rows are written even if the process that sent the write ends in the meantime.
 */
async function finished(database: SqliteDatabase, begun: WriteProgress): Promise<WriteProgress> {
  let written = begun;
  while (written.result === undefined && written.isClosed === undefined)
    written = await database.call('continueWrite', written.number);
  return written;
}
