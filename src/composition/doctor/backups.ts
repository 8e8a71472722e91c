import { accessSync, constants } from 'node:fs';
import { MILLISECONDS } from '../../domain/time.js';
import { assertSpaceForBackup, backupsIn } from '../backups/backup-folder.js';
import type { Config } from '../config.js';
import { storeName } from '../data/data-place.js';
import { countText, fail, type Finding, ok, warn } from './findings.js';

/**
 * Whether there is a recent backup that can be restored.
 *
 * @param isRunning whether the service runs. It makes the first backup right after its start
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
        'The data are in PostgreSQL: make backups with pg_dump, and try pg_restore. They are not examined here.',
      ),
    ];
  if (folder === undefined)
    return [
      warn(
        'backups',
        'There are no backups by schedule: set WEATHERD_BACKUP_DIR to a folder, best on another disk.',
      ),
    ];
  const backups = backupsIn(folder);
  accessSync(folder, constants.W_OK);
  const newest = backups.at(-1);
  if (newest === undefined) {
    const text = `There is no backup in ${folder}`;
    return isRunning
      ? [fail('backups', `${text}, though the service runs: read its log.`)]
      : [warn('backups', `${text} yet: the service makes the first one right after its start.`)];
  }
  const { readBackup } = await import('../../adapters/store-sqlite/database/sqlite-backup.js');
  readBackup(newest.path);
  const hours = Math.floor((now - newest.time) / MILLISECONDS.hour);
  const age = hours < 48 ? countText(hours, 'hour') : countText(Math.floor(hours / 24), 'day');
  if (now - newest.time > 2 * seconds * MILLISECONDS.second + MILLISECONDS.hour)
    return [
      fail('backups', `The newest backup ${newest.path} is ${age} old: start the service, or read its log.`),
    ];
  assertSpaceForBackup(config, folder);
  return [
    ok(
      'backups',
      `${countText(backups.length, 'backup')} in ${folder}; the newest is ${age} old and intact.`,
    ),
  ];
}
