import { CopyData } from '#application/operation/copy/copy-data.js';
import type { Stores } from '#application/ports/stores.js';
import { verify } from './verify-watch.js';

/**
 * Copies a store to another store, unless the copy is already complete, and verifies the copy.
 *
 * @param onStart called when the copy starts
 * @throws Error if the check finds a fault
 */
export async function copyAndVerify(source: Stores, target: Stores, onStart?: () => void): Promise<void> {
  const isBegun = (await target.importLog.lastLine(`copy of ${source.location}`)) > 0;
  const isEmpty = (await target.stations.list()).length === 0;
  onStart?.();
  if (isBegun || isEmpty) {
    const watch = { onStart: () => undefined, onRows: () => undefined, signal: new AbortController().signal };
    await new CopyData(source, target).execute(watch);
  }
  await verify(target);
}
