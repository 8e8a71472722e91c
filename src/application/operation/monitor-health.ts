import { DomainError } from '#domain/domain-error.js';
import { MILLISECONDS } from '#domain/time.js';
import {
  allowanceAt,
  type RequestAllowance,
  type RequestLimit,
  takeRequest,
} from '#domain/uploads/request-allowance.js';
import type { Check } from '../ports/check.js';
import type { Clock } from '../ports/clock.js';

/** Milliseconds between two rounds of checks. */
export const CHECK_INTERVAL = 300;

/**
 * Milliseconds for which the success of a check is valid. If a store does not answer, its check does not end: the check has
 * neither succeeded nor failed. Such a check counts as failed when its last success is older than this limit. So a missing answer
 * is noticed within a second, without a timer for each check.
 */
export const SUCCESS_LIFETIME = 900;

/**
 * Minimum time in milliseconds between two reports of a check whose state stays the same, but whose description
 * (`CheckStatus.detail`) changes. Without this limit, a description with a changing number would fill the log.
 */
export const DETAIL_INTERVAL = MILLISECONDS.minute;

/**
 * How many changes of a check are reported. A check whose state changes all the time, for example because of a device that works for
 * a minute and fails for a minute, would otherwise fill the log: each change at first, then one in ten minutes with their number.
 */
export const REPORTS: RequestLimit = { requests: 6, seconds: 3600 };

export const CHECK_STATES = ['ok', 'degraded', 'failed'] as const;

/**
 * `degraded` means that the checked part of the service works, but has a defect that somebody should examine. With a `degraded`
 * check the service still counts as alive, with a `failed` check it does not.
 */
export type CheckState = (typeof CHECK_STATES)[number];

export interface CheckStatus {
  readonly name: string;
  readonly state: CheckState;
  /** Start of this state, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly since: number;
  /** Description of the defect, without secrets and paths. If there is no defect, the progress of long work, or null. */
  readonly detail: string | null;
}

interface Watched {
  readonly check: Check;
  pending: boolean;
  /** Time of the last success, as returned by `#loopTime`. */
  answeredAt: number;
  /** The latest status; undefined before the first result. */
  status: CheckStatus | undefined;
  /** The last status that was reported to the observer. `reportedAt` is the uptime of the report. */
  reported: CheckStatus | undefined;
  reportedAt: number;
  /** How many reports are left. */
  allowance: RequestAllowance | undefined;
  /** Number of changes of the state since the last report. */
  changes: number;
}

/**
 * Called when the state of a check changes. If only the detail changes, the observer is called at most once in each
 * `DETAIL_INTERVAL`. Of many changes only some are reported, within `REPORTS`; the last state always is.
 *
 * @param reason the error of a failed check
 * @param changes number of changes of the state since the report before; 0 if only the detail has changed
 */
export type HealthObserver = (status: CheckStatus, reason: unknown, changes: number) => void;

/** Runs the checks in the background, so that a liveliness request causes no work and never waits. */
export class MonitorHealth {
  readonly #clock: Clock;
  #watched: Watched[];
  readonly #observer: HealthObserver;
  readonly #startedAt: number;
  #closing = false;
  /** Start of the last round, in two forms: `#roundAt` is a `Clock.uptime`, and `#loopTimeAtRound` is a result of `#loopTime`. */
  #roundAt: number;
  #loopTimeAtRound = 0;
  /** `Clock.uptime` of the first request that found the next round late; undefined while rounds are on time. */
  #missedAt: number | undefined;

  constructor(clock: Clock, checks: readonly Check[], observer: HealthObserver) {
    this.#clock = clock;
    this.#observer = observer;
    this.#startedAt = clock.now();
    this.#roundAt = clock.uptime();
    this.#watched = checks.map(unchecked);
  }

  /** Runs new checks once, and then adds them to the checks of each round. Never rejects. */
  async watch(checks: readonly Check[]): Promise<void> {
    const added = checks.map(unchecked);
    await Promise.all(added.map((watched) => this.#run(watched)));
    this.#watched.push(...added);
  }

  /** Removes checks of a part that no longer runs. */
  unwatch(checks: readonly Check[]): void {
    this.#watched = this.#watched.filter(({ check }) => !checks.includes(check));
  }

  /**
   * Starts every check that is not running. Resolves when the started checks have ended; never rejects. The caller must repeat
   * the call every `CHECK_INTERVAL`.
   */
  async execute(): Promise<void> {
    this.#loopTimeAtRound = this.#loopTime();
    this.#roundAt = this.#clock.uptime();
    this.#missedAt = undefined;
    await Promise.all(this.#watched.map((watched) => this.#run(watched)));
  }

  /** Whether every check has ended recently, no check has failed, and the service is not shutting down. */
  isAlive(): boolean {
    if (this.#closing || this.#roundsHaveStopped()) return false;
    return this.#watched.every((watched) => {
      const { status } = watched;
      return status !== undefined && status.state !== 'failed' && this.#isRecent(watched);
    });
  }

  /** The latest result of each check, in the order of the checks. */
  statuses(): readonly CheckStatus[] {
    const haveStopped = this.#roundsHaveStopped();
    return this.#watched.map(({ check: { name }, status }) => {
      if (status === undefined) return { name, state: 'failed', since: this.#startedAt, detail: NOT_CHECKED };
      if (!haveStopped) return status;
      const since = this.#clock.now() - (this.#clock.uptime() - this.#roundAt);
      return { name, state: 'failed', since, detail: NO_LONGER_CHECKED };
    });
  }

  /** From now on the service counts as not alive, whatever the results of the checks, and no result is reported. */
  beginShutdown(): void {
    this.#closing = true;
  }

  async #run(watched: Watched): Promise<void> {
    if (watched.pending) {
      if (!this.#isRecent(watched)) this.#report(watched, 'failed', NO_ANSWER, new Error(NO_ANSWER));
      return;
    }
    watched.pending = true;
    try {
      const defect = await watched.check.check();
      watched.answeredAt = this.#loopTime();
      const detail = defect ?? watched.check.progress?.() ?? null;
      this.#report(watched, defect === undefined ? 'ok' : 'degraded', detail, undefined);
    } catch (reason) {
      // Only the message of a DomainError is written for callers. Another message may contain a secret.
      const detail = reason instanceof DomainError ? reason.message : 'The check failed; the log says why.';
      this.#report(watched, 'failed', detail, reason);
    } finally {
      watched.pending = false;
    }
  }

  /**
   * Returns the uptime in milliseconds, but counts at most `CHECK_INTERVAL` between two rounds. So the time in which the event
   * loop was too busy to run a round is left out. In such a time the results of checks arrive late. Because the time is left out,
   * a late result does not count as a missing answer.
   */
  #loopTime(): number {
    return this.#loopTimeAtRound + Math.min(this.#clock.uptime() - this.#roundAt, CHECK_INTERVAL);
  }

  /**
   * Whether the rounds of checks have stopped.
   *
   * A late round does not prove this: if the event loop was busy, the next round may begin right after the current request. So
   * the first request that finds the round late only stores the current time. If no round has begun `SUCCESS_LIFETIME` ms later,
   * the rounds have stopped.
   */
  #roundsHaveStopped(): boolean {
    const uptime = this.#clock.uptime();
    if (uptime - this.#roundAt <= SUCCESS_LIFETIME) return false;
    this.#missedAt ??= uptime;
    return uptime - this.#missedAt > SUCCESS_LIFETIME;
  }

  #isRecent({ answeredAt }: Watched): boolean {
    return answeredAt >= this.#loopTime() - SUCCESS_LIFETIME;
  }

  #report(watched: Watched, state: CheckState, detail: string | null, reason: unknown): void {
    // During a shutdown, parts of the service stop in order. This is not a failure.
    if (this.#closing) return;
    const { name } = watched.check;
    const { status: before, reported, reportedAt } = watched;
    const since = before?.state === state ? before.since : this.#clock.now();
    watched.status = { name, state, since, detail };
    const uptime = this.#clock.uptime();
    if (state !== (before?.state ?? 'ok')) watched.changes += 1;
    // A success at the first run of a check is not a change.
    const isNewState = state !== (reported?.state ?? 'ok');
    const isNewDetail =
      state !== 'ok' && detail !== (reported?.detail ?? null) && uptime - reportedAt >= DETAIL_INTERVAL;
    if (!isNewState && !isNewDetail) return;
    const allowance = takeRequest(allowanceAt(watched.allowance, REPORTS, uptime));
    if (allowance === undefined) return;
    const { changes } = watched;
    Object.assign(watched, { allowance, changes: 0, reported: watched.status, reportedAt: uptime });
    this.#observer(watched.status, reason, changes);
  }
}

const NOT_CHECKED = 'The check has not run yet.';
const NO_LONGER_CHECKED = 'The check no longer runs, because the background checks have stopped.';
const NO_ANSWER = 'The check did not end in time.';

function unchecked(check: Check): Watched {
  return {
    check,
    pending: false,
    answeredAt: -Infinity,
    status: undefined,
    reported: undefined,
    reportedAt: -Infinity,
    allowance: undefined,
    changes: 0,
  };
}
