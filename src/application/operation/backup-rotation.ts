/** A backup in the folder of backups by schedule. */
export interface BackupFile {
  readonly path: string;
  /** When it was begun, in milliseconds since 1970. */
  readonly time: number;
}

/** Whether a backup has a later time than `now`, because the clock was wrong when it was made. */
export function isOfFuture({ time }: BackupFile, now: number): boolean {
  return time > now;
}

/**
 * Whether no backup was begun within the last `every` milliseconds. Backups of the future do not count, because none
 * would be made until then.
 */
export function isBackupDue(backups: readonly BackupFile[], now: number, every: number): boolean {
  return !backups.some((backup) => !isOfFuture(backup, now) && backup.time > now - every);
}

/**
 * The backups to remove after one was made: all but the newest `keep`. Backups of the future do not count and stay, because
 * others would be removed in their place.
 *
 * @param now when the last backup was begun, in milliseconds since 1970
 */
export function obsoleteBackups(
  backups: readonly BackupFile[],
  keep: number,
  now: number,
): readonly BackupFile[] {
  const counted = backups.filter((backup) => !isOfFuture(backup, now));
  return counted.toSorted((a, b) => b.time - a.time).slice(keep);
}
