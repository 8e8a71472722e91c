import { rmSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { obsoleteBackups } from '#application/operation/backup-rotation.js';
import type { Config } from '../config.js';
import { backup } from '../data/backup.js';
import { reasonOf } from '../reason.js';
import {
  assertSpaceForBackup,
  backupName,
  backupsIn,
  lockBackups,
  removeUnfinished,
} from './backup-folder.js';

/** The order to make one backup, which the service sends to this process. */
export interface BackupOrder {
  readonly config: Config;
  readonly folder: string;
  readonly keep: number;
  /** Start of the backup, in milliseconds since 1970. */
  readonly time: number;
}

/** The outcome of an order. */
export type BackupOutcome =
  | {
      readonly kind: 'made';
      readonly file: string;
      readonly removed: readonly string[];
      /** Whether the data have damaged observations. In this case, no older backup is removed. */
      readonly isDamaged: boolean;
      /** Data that the backup does not contain, one sentence each. */
      readonly gaps: readonly string[];
    }
  /** Another process is writing a backup to the folder. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'failed'; readonly reason: string };

async function execute(order: BackupOrder, signal: AbortSignal): Promise<BackupOutcome> {
  const { config, folder, keep, time } = order;
  const unlock = await lockBackups(config, folder);
  if (unlock === undefined) return { kind: 'busy' };
  try {
    removeUnfinished(folder);
    assertSpaceForBackup(config, folder);
    const file = join(folder, backupName(time));
    const nothing = () => undefined;
    // The file gets this name only after it was verified and is on disk.
    const message = await backup(config, file, false, { signal, onStart: nothing, onBytes: nothing });
    const { hasDamage } = await import('#adapters/store-sqlite/database/sqlite-backup.js');
    const isDamaged = hasDamage(file);
    const removed = isDamaged ? [] : obsoleteBackups(backupsIn(folder), keep, time).map(({ path }) => path);
    for (const path of removed) rmSync(path, { force: true });
    return { kind: 'made', file, removed, isDamaged, gaps: message.split('\n').slice(1) };
  } finally {
    unlock();
  }
}

/*
 * Makes one backup in its own process. The verification of a large file takes long and cannot be interrupted, so a thread would delay
 * the end of the service.
 */
const ending = new AbortController();
try {
  setPriority(constants.priority.PRIORITY_LOW);
} catch {
  // A sandbox may forbid a lower priority. The backup then runs with normal priority.
}
// A terminal sends these signals to the service and to this process. This process ignores the signals, because the service ends
// this process.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.once('disconnect', () => ending.abort(new Error('The service ended during the backup.')));
process.once('message', (order: BackupOrder) => {
  void execute(order, ending.signal)
    .catch((error: unknown): BackupOutcome => ({ kind: 'failed', reason: reasonOf(error) }))
    .then((outcome) => {
      if (process.connected) process.send?.(outcome, () => process.disconnect());
    });
});
