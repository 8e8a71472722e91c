/** A backup in the folder of scheduled backups. */
export interface BackupFile {
  readonly path: string;
  /** Start of the backup, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly time: number;
}

/** Whether the time of a backup is later than `now`. Then the clock was wrong when the backup was created. */
export function isOfFuture({ time }: BackupFile, now: number): boolean {
  return time > now;
}

/**
 * Whether no backup was started within the last `every` milliseconds. A backup with a time in the future is ignored. If it
 * counted, no further backup would be created until that time.
 */
export function isBackupDue(backups: readonly BackupFile[], now: number, every: number): boolean {
  return !backups.some((backup) => !isOfFuture(backup, now) && backup.time > now - every);
}

/**
 * Returns the backups to remove after a new backup: all but the newest `keep`. Backups with a time in the future are neither
 * counted nor removed. If they were counted among the newest, valid backups would be removed.
 *
 * @param now start of the new backup, in milliseconds since 1970-01-01T00:00:00Z
 */
export function obsoleteBackups(
  backups: readonly BackupFile[],
  keep: number,
  now: number,
): readonly BackupFile[] {
  const counted = backups.filter((backup) => !isOfFuture(backup, now));
  return counted.toSorted((a, b) => b.time - a.time).slice(keep);
}
