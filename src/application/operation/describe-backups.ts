import type { Clock } from '../ports/clock.js';
import { type BackupFile, isOfFuture } from './backup-rotation.js';
import type { ListChecks } from './list-checks.js';

/** The schedule by which the service makes backups. */
export interface BackupSchedule {
  /** Milliseconds between two backups. */
  readonly every: number;
  /** Number of backups that are kept. */
  readonly keep: number;
  /** Returns the complete backups. @throws Error if the folder of the backups cannot be read */
  readonly files: () => readonly Pick<BackupFile, 'time'>[];
}

/** The state of the scheduled backups. Times are in milliseconds since 1970-01-01T00:00:00Z. */
export interface BackupState {
  readonly schedule: Pick<BackupSchedule, 'every' | 'keep'> | null;
  /** Start of the last backup; null if there is none. */
  readonly last: number | null;
  /** Time from which the next backup is due; null without a schedule. */
  readonly next: number | null;
  /** Number of complete backups. */
  readonly count: number;
  /** What is wrong, as a sentence without a path; null if nothing is wrong. */
  readonly fault: string | null;
}

/** Describes the scheduled backups. */
export class DescribeBackups {
  readonly #schedule: BackupSchedule | undefined;
  readonly #clock: Clock;
  readonly #checks: ListChecks;

  /** @param schedule undefined if scheduled backups are switched off */
  constructor(schedule: BackupSchedule | undefined, clock: Clock, checks: ListChecks) {
    this.#schedule = schedule;
    this.#clock = clock;
    this.#checks = checks;
  }

  execute(): BackupState {
    if (this.#schedule === undefined)
      return { schedule: null, last: null, next: null, count: 0, fault: null };
    const { every, keep } = this.#schedule;
    const now = this.#clock.now();
    const times = this.#times()?.filter((time) => !isOfFuture({ path: '', time }, now));
    const last = times === undefined || times.length === 0 ? null : Math.max(...times);
    const check = this.#checks.execute().find(({ name }) => name === 'backups');
    const fault =
      times === undefined
        ? 'The folder of the backups cannot be read. The log gives the reason.'
        : check === undefined || check.state === 'ok'
          ? null
          : (check.detail ?? null);
    const next = Math.max(now, last === null ? now : last + every);
    return { schedule: { every, keep }, last, next, count: times?.length ?? 0, fault };
  }

  #times(): readonly number[] | undefined {
    try {
      return this.#schedule?.files().map(({ time }) => time);
    } catch {
      // The message of the error contains the path of the folder. The scheduled backup logs it.
      return undefined;
    }
  }
}
