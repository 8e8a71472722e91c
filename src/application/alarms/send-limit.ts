import { MILLISECONDS } from '#domain/time.js';

/** Largest number of messages, digests included, that people get in any `WINDOW`. Further ones become a digest. */
const MAX_MESSAGES = 5;
const WINDOW = 10 * MILLISECONDS.minute;

/** Limits the messages to one target that people read. Times are `Clock.uptime`. */
export class SendLimit {
  #times: number[] = [];
  #heldUntil: number | undefined;

  /** Whether the next message, all waiting messages as a digest, or nothing may be sent. */
  next(now: number): 'one' | 'all' | 'none' {
    if (this.#heldUntil === undefined) {
      this.#times = this.#times.filter((time) => time > now - WINDOW);
      const [first] = this.#times;
      if (first === undefined || this.#times.length < MAX_MESSAGES) return 'one';
      this.#heldUntil = first + WINDOW;
    }
    return now < this.#heldUntil ? 'none' : 'all';
  }

  /** Notes that a message or a digest was sent. */
  note(now: number): void {
    this.#heldUntil = undefined;
    this.#times.push(now);
  }

  /** Whether no message of the last ten minutes is known, so that the limit is like a new one. */
  isUnused(now: number): boolean {
    return this.#heldUntil === undefined && !this.#times.some((time) => time > now - WINDOW);
  }
}
