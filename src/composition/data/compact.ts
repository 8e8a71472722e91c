import type { ByteObserver } from '#adapters/cli/byte-progress.js';
import { eraseRows } from '#application/stations/erase-rows.js';
import type { Config } from '../config.js';
import { openStores } from '../modules/stores.js';
import { thenClose } from '../runnables.js';
import { dataFile, missingData } from './data-location.js';

/**
 * Makes the data file compact, in four steps:
 *
 * - deletes the remaining data of permanently removed stations,
 * - moves the rows of recent commits into the larger blobs (stored binary values) that contain the older rows,
 * - converts data of former versions to the current format,
 * - rewrites the data file without free pages.
 *
 * @returns a message about the result
 * @throws Error if the file cannot be rewritten, because it is in use or the disk has too little free space. All other steps were
 *   then completed.
 */
export async function compact(config: Config, observer: ByteObserver): Promise<string> {
  const file = dataFile(config);
  if (file === undefined) {
    throw new Error(
      'Only a SQLite data file can be compacted. PostgreSQL itself reuses free space; VACUUM (FULL) returns it to the operating system.',
    );
  }
  const missing = await missingData(config);
  if (missing !== undefined) throw new Error(missing);
  const { assertUnused } = await import('#adapters/store-sqlite/database/sqlite-backup.js');
  const { assertSpace, megabytes, spaceOf, vacuum } =
    await import('#adapters/store-sqlite/database/vacuum.js');
  const isInUse = () => {
    try {
      assertUnused(file);
      return false;
    } catch {
      return true;
    }
  };
  const wasInUse = isInUse();
  const stores = await openStores(config);
  let rewritten = 0;
  const prepare = async () => {
    await eraseRows(stores.stations, observer.signal);
    await stores.merge?.(observer.signal);
    rewritten = (await stores.rewriteFormer?.(observer.signal)) ?? 0;
  };
  await thenClose(prepare, () => stores.close());
  observer.signal.throwIfAborted();
  const done =
    rewritten === 0
      ? 'Merged all commits.'
      : `Merged all commits, and converted ${rewritten} parts of former versions to the current format.`;
  const before = spaceOf(file);
  const freeSpace = `${megabytes(before.free)} of ${megabytes(before.size)} in ${file} are free`;
  if (before.free === 0) return `${done} ${file} has no free space.`;
  if (wasInUse || isInUse()) {
    throw new Error(
      `${done} ${freeSpace}. The file can be made smaller only while no process uses it: stop the service, and run ` +
        'the command again.',
    );
  }
  await assertSpace(file, before);
  observer.onStart(2 * before.needed);
  await vacuum(file, observer.onBytes);
  const after = spaceOf(file);
  const prefix = rewritten === 0 ? '' : `${done} `;
  return `${prefix}Compacted ${file}: it had ${megabytes(before.size)} and has ${megabytes(after.size)}.`;
}
