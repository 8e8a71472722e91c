import { MILLISECONDS } from '#domain/time.js';
import { backOff } from '../back-off.js';
import { pauseFor } from '../pause.js';
import type { Clock } from '../ports/clock.js';
import type { Delivery, FailedDelivery, Message } from '../ports/delivery.js';
import type { DeliveryResult } from './delivery-metrics.js';
import type { Outbox } from './outbox.js';

/** Maximum delay between two attempts in milliseconds, unless the target requests a longer one. */
export const MAX_ATTEMPT_DELAY = 15 * MILLISECONDS.minute;
/**
 * Maximum delay in milliseconds that a target can request, unless its outbox (the source of the messages for the target) sets
 * another maximum.
 */
const MAX_RETRY_AFTER = MILLISECONDS.day;

/** A change of the state of a target that is reported to the operator. */
export type DispatchNotice =
  /** The target fails for the first time since its last success. */
  | { readonly kind: 'failing'; readonly outbox: Outbox; readonly reason: string }
  /** The target accepts a message again after failures. */
  | { readonly kind: 'recovered'; readonly outbox: Outbox; readonly failures: number }
  /** Some messages were given up, so the target will never get them. */
  | {
      readonly kind: 'givenUp';
      readonly outbox: Outbox;
      /** The message that was given up last. */
      readonly message: Message;
      /** Number of messages that were given up since the previous notice of this kind. */
      readonly count: number;
      readonly reason: string;
    };

/** Milliseconds in which a queue gives at most one notice of each kind, so that a target cannot fill the log. */
const NOTICE_INTERVAL = MILLISECONDS.minute;

export interface DeliveryQueueParts {
  readonly clock: Clock;
  readonly delivery: Pick<Delivery, 'send'>;
  /** Called with each notice for the operator. Must not throw. */
  readonly onNotice: (notice: DispatchNotice) => void;
  /**
   * Called with the outcome of each attempt and for each dropped message. It is not called for an attempt that `close` has ended.
   * Must not throw.
   */
  readonly onOutcome?: (outbox: Outbox, message: Message, outcome: DeliveryResult) => void;
  /** Waits for some milliseconds. The signal ends the wait early, without an error. */
  readonly wait?: typeof pauseFor;
  /** Returns a random number from 0 to 1. */
  readonly random?: () => number;
}

/** Results of the deliveries to a target since the queue was opened. */
export interface DeliveryQueueStatus {
  readonly delivered: number;
  readonly givenUp: number;
  /** Number of failed attempts since the last success. */
  readonly failures: number;
  /** Reason and time of the last failed attempt; null after a success. Times are milliseconds since 1970-01-01T00:00:00Z. */
  readonly reason: string | null;
  readonly failedAt: number | null;
  /** Time of the last success. */
  readonly deliveredAt: number | null;
  /** Time of the first failure since the last answer of the target. An answer accepts a message or refuses it permanently. */
  readonly failingSince: number | null;
}

/** Delivers the messages of one target, one after the other. */
export class DeliveryQueue {
  readonly #outbox: Outbox;
  readonly #parts: DeliveryQueueParts;
  readonly #closing = new AbortController();
  readonly #end: Promise<void>;
  #status: DeliveryQueueStatus = {
    delivered: 0,
    givenUp: 0,
    failures: 0,
    reason: null,
    failedAt: null,
    deliveredAt: null,
    failingSince: null,
  };
  #hasNewMessage = false;
  #wakeUp: (() => void) | undefined;
  /**
   * A notice tells the operator that the target fails, or that messages were given up. `#failingNoticeAt` and `#givenUpNoticeAt`
   * are the `Clock.uptime` of the last notice of each kind. `#isReported` is true if the operator was told of the current
   * failure.
   */
  #failingNoticeAt = -Infinity;
  #givenUpNoticeAt = -Infinity;
  #isReported = false;
  /** Number of messages that were given up since the last notice about given-up messages. */
  #unreported = 0;
  /** The message whose attempts fail, and the `Clock.uptime` of its first failed attempt. */
  #failing: { readonly id: string; readonly since: number } | undefined;

  constructor(outbox: Outbox, parts: DeliveryQueueParts) {
    this.#outbox = outbox;
    this.#parts = parts;
    this.#end = this.#run();
  }

  get status(): DeliveryQueueStatus {
    return this.#status;
  }

  /** Must be called when there may be a new message for the target. The call does not shorten the delay between two attempts. */
  wake(): void {
    this.#hasNewMessage = true;
    this.#wakeUp?.();
  }

  /** Ends the current attempt. Its message is not removed, and can be sent again later. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#wakeUp?.();
    await this.#end;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    const { wait = pauseFor } = this.#parts;
    while (!signal.aborted) {
      this.#hasNewMessage = false;
      const delay = await this.#step();
      if (delay > 0) await wait(delay, signal);
      else if (delay < 0) await this.#nextWake();
    }
  }

  /** Resolves when there may be a message, or when the queue closes. */
  async #nextWake(): Promise<void> {
    if (this.#hasNewMessage || this.#closing.signal.aborted) return;
    await new Promise<void>((resolve) => (this.#wakeUp = resolve));
    this.#wakeUp = undefined;
  }

  /** Tries to deliver the next message. @returns milliseconds until the next attempt; -1 if there is no message */
  async #step(): Promise<number> {
    const { signal } = this.#closing;
    let message: Message | undefined;
    try {
      message = await this.#outbox.next();
      if (message === undefined) return -1;
      const outcome = await this.#parts.delivery.send(this.#outbox.target, message, signal);
      if (outcome === 'delivered') {
        this.#parts.onOutcome?.(this.#outbox, message, 'delivered');
        await this.#outbox.done(message);
        this.#succeed();
        return 0;
      }
      return signal.aborted ? 0 : await this.#fail(message, outcome);
    } catch {
      // The message could not be read from the store or removed from it. The health check of the store reports the fault.
      return this.#delay({ failed: 'The messages of this target cannot be read or stored at the moment.' });
    }
  }

  async #fail(message: Message, failure: FailedDelivery): Promise<number> {
    const { giveUpAfter = Infinity } = this.#outbox;
    const { onOutcome } = this.#parts;
    onOutcome?.(this.#outbox, message, 'failed');
    const now = this.#parts.clock.uptime();
    if (this.#failing?.id !== message.id) this.#failing = { id: message.id, since: now };
    if (failure.permanent === true || now - this.#failing.since >= giveUpAfter) {
      await this.#outbox.done(message);
      onOutcome?.(this.#outbox, message, 'dropped');
      this.#failing = undefined;
      this.#status = { ...this.#status, givenUp: this.#status.givenUp + 1 };
      this.#reportGivenUp(message, failure.failed, now);
    }
    return this.#delay(failure);
  }

  #succeed(): void {
    const { clock, onNotice } = this.#parts;
    const { failures, delivered } = this.#status;
    this.#failing = undefined;
    this.#status = {
      ...this.#status,
      delivered: delivered + 1,
      failures: 0,
      reason: null,
      failedAt: null,
      deliveredAt: clock.now(),
      failingSince: null,
    };
    if (this.#isReported) onNotice({ kind: 'recovered', outbox: this.#outbox, failures });
    this.#isReported = false;
  }

  #reportGivenUp(message: Message, reason: string, now: number): void {
    this.#unreported += 1;
    if (now - this.#givenUpNoticeAt < NOTICE_INTERVAL) return;
    this.#givenUpNoticeAt = now;
    const count = this.#unreported;
    this.#unreported = 0;
    this.#parts.onNotice({ kind: 'givenUp', outbox: this.#outbox, message, count, reason });
  }

  /** Records a failure. @returns milliseconds until the next attempt */
  #delay({ failed, permanent = false, retryAfter = 0 }: FailedDelivery): number {
    const { clock, onNotice, random } = this.#parts;
    const failures = this.#status.failures + 1;
    const failedAt = clock.now();
    // A target that permanently refuses a message has answered, so the target itself works.
    const failingSince = permanent ? null : (this.#status.failingSince ?? failedAt);
    this.#status = { ...this.#status, failures, reason: failed, failedAt, failingSince };
    const now = clock.uptime();
    if (!permanent && !this.#isReported && now - this.#failingNoticeAt >= NOTICE_INTERVAL) {
      this.#failingNoticeAt = now;
      this.#isReported = true;
      onNotice({ kind: 'failing', outbox: this.#outbox, reason: failed });
    }
    const { maxRetryAfter = MAX_RETRY_AFTER } = this.#outbox;
    const requested = Math.min(maxRetryAfter, retryAfter * MILLISECONDS.second);
    return Math.max(requested, backOff(failures, MAX_ATTEMPT_DELAY, random));
  }
}
