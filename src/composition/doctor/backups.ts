import { accessSync, constants } from 'node:fs';
import { type BackupFile, isOfFuture } from '#application/operation/backup-rotation.js';
import { MILLISECONDS } from '#domain/time.js';
import { assertSpaceForBackup, backupsIn } from '../backups/backup-folder.js';
import type { Config } from '../config.js';
import { storeName } from '../data/data-location.js';
import { countText, examine, fail, type Finding, ok, warn } from './findings.js';

/**
 * Checks whether there is a recent backup that can be restored.
 *
 * @param isRunning whether the service runs. A running service makes the first backup right after its start.
 * @throws Error if the folder cannot be used
 */
export async function checkBackups(
  config: Config,
  now: number,
  isRunning: boolean,
): Promise<readonly Finding[]> {
  const { BACKUP_DIR: folder, BACKUP_EVERY: seconds } = config;
  if (storeName(config) === 'postgres')
    return [
      ok(
        'backups',
        'The data are in PostgreSQL: make backups with pg_dump, and test them with pg_restore. This command does not examine them.',
      ),
    ];
  if (folder === undefined)
    return [
      warn(
        'backups',
        'The service makes no backups by schedule: set WEATHERD_BACKUP_DIR to a folder, best on another disk.',
      ),
    ];
  const all = backupsIn(folder);
  accessSync(folder, constants.W_OK);
  const backups = all.filter((backup) => !isOfFuture(backup, now));
  const future = all
    .slice(backups.length)
    .map(({ path }) =>
      warn(
        'backups',
        `${path} has a time in the future, because the clock was wrong: rename the file to its true time, or remove it.`,
      ),
    );
  const newest = backups.at(-1);
  if (newest === undefined) {
    const text = `The folder ${folder} has no backup`;
    const finding = isRunning
      ? fail('backups', `${text}, although the service runs: read its log.`)
      : warn('backups', `${text} yet: the service makes the first one right after its start.`);
    return [finding, ...future];
  }
  const findings = await examine('backups', async () => {
    const age = await ageOfBackup(newest, now);
    if (now - newest.time > 2 * seconds * MILLISECONDS.second + MILLISECONDS.hour)
      return [
        fail(
          'backups',
          `The newest backup ${newest.path} is ${age} old: start the service, or read its log.`,
        ),
      ];
    assertSpaceForBackup(config, folder);
    const count = countText(backups.length, 'backup');
    return [ok('backups', `${count} in ${folder}; the newest is ${age} old and intact.`)];
  });
  return [...findings, ...future];
}

/** The age of a backup as text, in hours or days. @throws Error if the backup cannot be restored */
async function ageOfBackup({ path, time }: BackupFile, now: number): Promise<string> {
  const { readBackup } = await import('#adapters/store-sqlite/database/sqlite-backup.js');
  readBackup(path);
  const hours = Math.floor((now - time) / MILLISECONDS.hour);
  return hours < 48 ? countText(hours, 'hour') : countText(Math.floor(hours / 24), 'day');
}
