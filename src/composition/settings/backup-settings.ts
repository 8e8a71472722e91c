import { relative } from 'node:path';
import { z } from 'zod';
import { realPath } from '#adapters/cli/output-file.js';
import { duration } from './durations.js';
import { optional, setting, word } from './setting.js';

const number = z
  .string()
  .regex(/^[1-9]\d{0,3}$/, 'Must be a number of backups, 1 to 9999')
  .transform(Number);

/** The settings of backups by schedule, for `SETTING_TABLE`. */
export const BACKUP_SETTINGS = {
  BACKUP_DIR: optional(
    word,
    'Existing folder for backups by schedule, outside of the data directory. It requires SQLite ([backup.md](operating/backup.md#backups-by-schedule)).',
  ),
  BACKUP_EVERY: setting(duration('365d'), '1d', 'Time between two backups, for example `12h`, `7d`.', {
    kind: 'duration',
  }),
  BACKUP_KEEP: setting(number, '7', 'Number of backups that are kept.'),
} as const;

interface BackupLocations {
  readonly DATABASE_URL?: string | undefined;
  readonly DATA_DIR?: string | undefined;
  readonly BACKUP_DIR?: string | undefined;
}

/**
 * Checks the settings of backups against each other and against the settings of the data.
 *
 * @param setNames the names of all settings that were set
 */
export function checkBackupSettings(locations: BackupLocations, setNames: ReadonlySet<string>): string[] {
  const { DATABASE_URL: url, DATA_DIR: dataDir, BACKUP_DIR: folder } = locations;
  const faults: string[] = [];
  for (const name of ['BACKUP_EVERY', 'BACKUP_KEEP'])
    if (setNames.has(name) && !setNames.has('BACKUP_DIR'))
      faults.push(`WEATHERD_${name}: set WEATHERD_BACKUP_DIR too`);
  if (folder === undefined) return faults;
  if (url?.startsWith('postgres') === true)
    faults.push(
      'WEATHERD_BACKUP_DIR: the data are in PostgreSQL, which has its own tool for backups: run ' +
        '"pg_dump --format=custom --schema=weatherd" by cron or a timer, and remove the setting',
    );
  if (dataDir !== undefined && isWithin(realPath(folder), realPath(dataDir)))
    faults.push(
      `WEATHERD_BACKUP_DIR: ${folder} is in the data directory and would be lost together with the data: choose another folder, best on another disk`,
    );
  return faults;
}

function isWithin(path: string, folder: string): boolean {
  const relativePath = relative(folder, path);
  return relativePath !== '..' && !relativePath.startsWith('../');
}
