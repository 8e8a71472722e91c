import { DomainError } from '../../domain/domain-error.js';
import { MILLISECONDS } from '../../domain/time.js';
import type { Check } from '../ports/check.js';
import type { Clock } from '../ports/clock.js';

/** Milliseconds between two rounds of checks. */
export const CHECK_INTERVAL = 300;

/**
 * Milliseconds for which a success is valid. A store that hangs never fails outright. With this limit and the interval
 * it is noticed within a second, without a timer for each check.
 */
export const SUCCESS_LIFETIME = 900;

/**
 * Smallest time in milliseconds between two reports of a check whose state stays the same. A detail with a number that
 * changes often would otherwise fill the log.
 */
export const DETAIL_INTERVAL = MILLISECONDS.minute;

export const CHECK_STATES = ['ok', 'degraded', 'failed'] as const;

/** `degraded`: it works, but with a defect that somebody should examine. Only `failed` ends liveliness. */
export type CheckState = (typeof CHECK_STATES)[number];

export interface CheckStatus {
  readonly name: string;
  readonly state: CheckState;
  /** Start of this state, in milliseconds since 1970. */
  readonly since: number;
  /** Description of the defect, without secrets and paths; null where there is none. */
  readonly detail: string | null;
}

interface Watched {
  readonly check: Check;
  pending: boolean;
  /** Time of the last success or failure, by `#loopTime`. */
  answeredAt: number;
  /** Undefined before the first result. */
  status: CheckStatus | undefined;
  /** The last status that was reported to the observer, and the uptime at that moment. */
  reported: CheckStatus | undefined;
  reportedAt: number;
}

/**
 * Called when the state of a check changes, and when only its detail changes, but then at most every DETAIL_INTERVAL.
 * `reason` is the error of a failed check.
 */
export type HealthObserver = (status: CheckStatus, reason: unknown) => void;

/** Runs the checks in the background, so that a poll of liveliness costs nothing and never waits. */
export class MonitorHealth {
  readonly #clock: Clock;
  readonly #watched: readonly Watched[];
  readonly #observer: HealthObserver;
  readonly #startedAt: number;
  #closing = false;
  /** Uptime and `#loopTime` at the last round. */
  #roundAt: number;
  #loopTimeAtRound = 0;

  constructor(clock: Clock, checks: readonly Check[], observer: HealthObserver) {
    this.#clock = clock;
    this.#observer = observer;
    this.#startedAt = clock.now();
    this.#roundAt = clock.uptime();
    this.#watched = checks.map((check) => ({
      check,
      pending: false,
      answeredAt: -Infinity,
      status: undefined,
      reported: undefined,
      reportedAt: -Infinity,
    }));
  }

  /**
   * Starts every check that is not running. Resolves when the started checks have ended; never rejects. The caller
   * calls it every CHECK_INTERVAL.
   */
  async execute(): Promise<void> {
    this.#loopTimeAtRound = this.#loopTime();
    this.#roundAt = this.#clock.uptime();
    await Promise.all(this.#watched.map((watched) => this.#run(watched)));
  }

  /** Whether every check has ended recently, none has failed, and the service is not shutting down. */
  isAlive(): boolean {
    if (this.#closing) return false;
    return this.#watched.every((watched) => {
      const { status } = watched;
      return status !== undefined && status.state !== 'failed' && this.#isRecent(watched);
    });
  }

  /** The latest result of each check, in the order of the checks. */
  statuses(): readonly CheckStatus[] {
    return this.#watched.map(
      ({ check: { name }, status }) =>
        status ?? { name, state: 'failed', since: this.#startedAt, detail: 'Not checked yet.' },
    );
  }

  /** Makes the service not alive, whatever the results of the checks. */
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
      this.#report(watched, defect === undefined ? 'ok' : 'degraded', defect ?? null, undefined);
    } catch (reason) {
      // The message of another error is not meant for callers and may hold a secret.
      const detail = reason instanceof DomainError ? reason.message : 'It failed; the log says why.';
      this.#report(watched, 'failed', detail, reason);
    } finally {
      watched.pending = false;
    }
  }

  /**
   * Milliseconds in which the event loop could receive results: the uptime without the delay of late rounds. While the
   * event loop is busy, results of checks are late too, which does not mean that a check hangs.
   */
  #loopTime(): number {
    return this.#loopTimeAtRound + Math.min(this.#clock.uptime() - this.#roundAt, CHECK_INTERVAL);
  }

  #isRecent({ answeredAt }: Watched): boolean {
    return answeredAt >= this.#loopTime() - SUCCESS_LIFETIME;
  }

  #report(watched: Watched, state: CheckState, detail: string | null, reason: unknown): void {
    const { name } = watched.check;
    const { status: before, reported, reportedAt } = watched;
    const since = before?.state === state ? before.since : this.#clock.now();
    watched.status = { name, state, since, detail };
    const uptime = this.#clock.uptime();
    // A success at the first check is not a change.
    const isNewState = state !== (reported?.state ?? 'ok');
    const isNewDetail = detail !== (reported?.detail ?? null) && uptime - reportedAt >= DETAIL_INTERVAL;
    if (!isNewState && !isNewDetail) return;
    watched.reported = watched.status;
    watched.reportedAt = uptime;
    this.#observer(watched.status, reason);
  }
}

const NO_ANSWER = 'No answer in time.';
