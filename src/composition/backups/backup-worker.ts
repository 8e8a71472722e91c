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

/** What the service orders. */
export interface BackupOrder {
  readonly config: Config;
  readonly folder: string;
  readonly keep: number;
  /** Begin of the backup, in milliseconds since 1970. */
  readonly time: number;
}

/** What became of an order. */
export type BackupOutcome =
  | {
      readonly kind: 'made';
      readonly file: string;
      readonly removed: readonly string[];
      /** Whether the data have damaged observations. No older backup is removed then. */
      readonly isDamaged: boolean;
      /** What is not in it, one sentence each. */
      readonly gaps: readonly string[];
    }
  /** Another process makes a backup there. */
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
    // It gets its name only after it was verified and is on disk.
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
 * Makes one backup, in a process of its own: verifying a large file takes long and cannot be interrupted, so that a thread
 * would hold up the end of the service.
 */
const ending = new AbortController();
try {
  setPriority(constants.priority.PRIORITY_LOW);
} catch {
  // A sandbox may forbid it.
}
// They are sent to the whole group; the service decides what happens.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.once('disconnect', () => ending.abort(new Error('The service has ended.')));
process.once('message', (order: BackupOrder) => {
  void execute(order, ending.signal)
    .catch((error: unknown): BackupOutcome => ({ kind: 'failed', reason: reasonOf(error) }))
    .then((outcome) => {
      if (process.connected) process.send?.(outcome, () => process.disconnect());
    });
});
