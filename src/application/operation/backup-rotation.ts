/** A backup in the folder of backups by schedule. */
export interface BackupFile {
  readonly path: string;
  /** When it was begun, in milliseconds since 1970. */
  readonly time: number;
}

/**
 * Whether no backup was begun within the last `every` milliseconds. Backups with a later time than `now` do not count: the
 * clock was wrong when they were made, and none would be made until then.
 */
export function isBackupDue(backups: readonly BackupFile[], now: number, every: number): boolean {
  return !backups.some(({ time }) => time <= now && time > now - every);
}

/**
 * The backups to remove after a new one: all but the newest `keep`. The new one stays, even if others have later times
 * because of a wrong clock.
 *
 * @param made the path of the new backup
 */
export function obsoleteBackups(
  backups: readonly BackupFile[],
  keep: number,
  made: string,
): readonly BackupFile[] {
  const others = backups.filter(({ path }) => path !== made);
  return others.toSorted((a, b) => b.time - a.time).slice(keep - 1);
}
