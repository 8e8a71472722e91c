import { DomainError } from '../../domain/domain-error.js';
import { MILLISECONDS } from '../../domain/time.js';
import type { Check } from '../ports/check.js';
import type { Clock } from '../ports/clock.js';

/** Milliseconds between two rounds of checks. */
export const CHECK_INTERVAL = 300;

/**
 * Milliseconds that a success counts for. Together with the interval it lets a store that hangs, and so never
 * fails outright, be noticed within a second, without a timer for each check.
 */
export const SUCCESS_LIFETIME = 900;

/**
 * Milliseconds for which a new detail waits when the state of its check is the one reported last: a detail in which a
 * number changes all the time must not fill the log.
 */
export const DETAIL_INTERVAL = MILLISECONDS.minute;

export const CHECK_STATES = ['ok', 'degraded', 'failed'] as const;

/** `degraded`: it works with a defect that somebody should look at. Only `failed` ends liveliness. */
export type CheckState = (typeof CHECK_STATES)[number];

export interface CheckStatus {
  readonly name: string;
  readonly state: CheckState;
  /** When this state began, in milliseconds since 1970. */
  readonly since: number;
  /** What is wrong, without secrets and paths; null when nothing is. */
  readonly detail: string | null;
}

interface Watched {
  readonly check: Check;
  pending: boolean;
  /** In the time of `#loopTime`. */
  answeredAt: number;
  /** Undefined until it has answered once. */
  status: CheckStatus | undefined;
  /** What the observer was told last, and the uptime then. */
  reported: CheckStatus | undefined;
  reportedAt: number;
}

/**
 * Is called when the state of a check changes, and when its detail has changed, at most every DETAIL_INTERVAL. `reason` is
 * the error that a failed check rejected with.
 */
export type HealthObserver = (status: CheckStatus, reason: unknown) => void;

/** Runs the checks in the background, so that a poll of liveliness costs nothing and cannot be made to wait. */
export class MonitorHealth {
  readonly #clock: Clock;
  readonly #watched: readonly Watched[];
  readonly #observer: HealthObserver;
  readonly #startedAt: number;
  #closing = false;
  /** Uptime at the last round, and `#loopTime` then. */
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
   * Starts every check that is not still running. Resolves when those have answered; never rejects. To be called every
   * CHECK_INTERVAL.
   */
  async execute(): Promise<void> {
    this.#loopTimeAtRound = this.#loopTime();
    this.#roundAt = this.#clock.uptime();
    await Promise.all(this.#watched.map((watched) => this.#run(watched)));
  }

  /** Whether every check has answered lately, none has failed, and the service is not about to end. */
  isAlive(): boolean {
    if (this.#closing) return false;
    return this.#watched.every((watched) => {
      const { status } = watched;
      return status !== undefined && status.state !== 'failed' && this.#isRecent(watched);
    });
  }

  /** What each check found last, in the order of the checks. */
  statuses(): readonly CheckStatus[] {
    return this.#watched.map(
      ({ check: { name }, status }) =>
        status ?? { name, state: 'failed', since: this.#startedAt, detail: 'Not checked yet.' },
    );
  }

  /** From now on the service is not alive, whatever the checks say. */
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
      // What is not a DomainError was not written for callers.
      const detail = reason instanceof DomainError ? reason.message : 'It failed; the log says why.';
      this.#report(watched, 'failed', detail, reason);
    } finally {
      watched.pending = false;
    }
  }

  /**
   * Milliseconds in which the event loop could take answers: uptime without the lateness of the rounds. While the loop is
   * busy the answer of a check waits as the next round does, and says nothing about the thing that was asked.
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
    // That a check succeeds from the first time on is no change.
    const isNewState = state !== (reported?.state ?? 'ok');
    const isNewDetail = detail !== (reported?.detail ?? null) && uptime - reportedAt >= DETAIL_INTERVAL;
    if (!isNewState && !isNewDetail) return;
    watched.reported = watched.status;
    watched.reportedAt = uptime;
    this.#observer(watched.status, reason);
  }
}

const NO_ANSWER = 'No answer in time.';
