import { type Dirent, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { realPath } from '#adapters/cli/output-file.js';
import type { BackupFile } from '#application/operation/backup-rotation.js';
import { parseInstant } from '#domain/time.js';
import type { Config } from '../config.js';
import { dataFile } from '../data/data-location.js';

/** The name of a backup, with its time in UTC: `weatherd-20260131T120000Z.db`. */
const NAME = /^weatherd-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.db$/;
/** The temporary files that a killed backup leaves; see `atomically` in sqlite-backup.ts. */
const UNFINISHED = /^weatherd-\d{8}T\d{6}Z\.db\.[\da-f-]{36}\.tmp(?:-journal|-wal|-shm)?$/;
const LOCK = 'weatherd-backups.lock';

/**
 * Bytes that must stay free on the disk after a backup. The number is the typical size of the write-ahead log of the data,
 * because the log may be on the same disk.
 */
const RESERVE = 67_108_864;

/** The name of a backup. @param time start of the backup, in milliseconds since 1970 */
export function backupName(time: number): string {
  return `weatherd-${new Date(time).toISOString().replaceAll(/[-:]|\.\d+/g, '')}.db`;
}

/** The complete backups in a folder, oldest first. Files with other names are ignored. @throws Error that names the setting */
export function backupsIn(folder: string): BackupFile[] {
  return namesIn(folder)
    .flatMap((name) => {
      const [, year, month, day, hour, minute, second] = NAME.exec(name) ?? [];
      const time = parseInstant(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
      return Number.isNaN(time) ? [] : [{ path: join(folder, name), time }];
    })
    .sort((a, b) => a.time - b.time);
}

/** Removes the temporary files of killed backups. The caller must have the lock. */
export function removeUnfinished(folder: string): void {
  for (const name of namesIn(folder)) if (UNFINISHED.test(name)) rmSync(join(folder, name), { force: true });
}

/**
 * Locks the folder for this process and for the data of `config`. No other process then writes backups to the folder, and the
 * folder never gets backups of other data.
 *
 * @returns a function that unlocks the folder; undefined if another process is writing a backup to the folder
 * @throws Error if the folder has backups of other data
 */
export async function lockBackups(config: Config, folder: string): Promise<(() => void) | undefined> {
  const { lockFolder } = await import('#adapters/store-sqlite/files/folder-lock.js');
  try {
    return lockFolder(join(folder, LOCK), realPath(dataFile(config) ?? ''));
  } catch (error) {
    throw new Error(`${folder} (WEATHERD_BACKUP_DIR) cannot be used:`, { cause: error });
  }
}

/** @throws Error if the disk of the folder has too little free space for another backup */
export function assertSpaceForBackup(config: Config, folder: string): void {
  const needed = (statSync(dataFile(config) ?? '', { throwIfNoEntry: false })?.size ?? 0) + RESERVE;
  const { bsize, blocks, bavail } = statfsSync(folder);
  // Some network file systems do not report their size.
  if (blocks === 0 || bsize * bavail >= needed) return;
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
  throw new Error(
    `A backup needs ${megabytes(needed)} of free disk space in ${folder}, but only ${megabytes(bsize * bavail)} are free: ` +
      'keep fewer backups (WEATHERD_BACKUP_KEEP), or use another disk (WEATHERD_BACKUP_DIR).',
  );
}

function namesIn(folder: string): string[] {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      throw new Error(`${folder} (WEATHERD_BACKUP_DIR) cannot be used:`, { cause: error });
    // oxlint-disable-next-line eslint/preserve-caught-error -- the message has all that the cause would add
    throw new Error(
      `The folder ${folder} (WEATHERD_BACKUP_DIR) does not exist. The service does not create it, because it may be the mount point of a ` +
        'disk that is not mounted: mount the disk, or create the folder.',
    );
  }
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}
