import { MILLISECONDS } from '#domain/time.js';

/** Uploads of a key in a minute, and how many may come at once after a pause. */
const RATE = 40;
const BURST = 60;
/** An upload of the past counts as this much of one: software sends many of them at once after an outage. */
const COST_OF_PAST = 1 / 16;
/** Milliseconds after which an upload is one of the past. */
const PAST = 5 * MILLISECONDS.minute;
/** Longest delay of an upload that comes too early, in milliseconds. Software and consoles wait for ten seconds or so. */
const MAX_DELAY = 3000;
/** Uploads of a key that wait at a time. Whatever sends more at once is no console. */
const MAX_WAITING = 64;
/** Number of uploads whose digests are remembered. */
const MAX_RECENT = 64;
/** Milliseconds within which an equal upload with the time of receipt is a repetition. */
const REPEATED = 2000;

interface Traffic {
  tokens: number;
  /** Times in milliseconds since 1970-01-01T00:00:00Z. */
  refilledAt: number;
  lastPush: number;
  /** Number of its uploads that wait, or are being stored. */
  waiting: number;
  /** Accepted uploads: time of receipt by digest, the oldest first. */
  readonly recent: Map<string, number>;
}

/** What this process remembers of the uploads of each key: how many there were, and which. */
export class KeyTraffic {
  readonly #rate: number;
  readonly #keys = new Map<number, Traffic>();

  /** @param rate uploads of a key in a minute */
  constructor(rate = RATE) {
    this.#rate = rate;
  }

  /**
   * Counts an upload. One that comes too early is delayed and never refused, because software that sends what an outage has left
   * sends one record after the other and gives up those that are refused.
   *
   * @param sent time of its values if it is not live, in the milliseconds of `now`
   * @param maxDelay milliseconds
   * @param now milliseconds since 1970-01-01T00:00:00Z
   * @returns `delay`: milliseconds after which it may be stored, undefined where `MAX_WAITING` wait already; `interval`:
   *   milliseconds since the last one, undefined for the first
   */
  push(
    key: number,
    now: number,
    { sent = now, maxDelay = MAX_DELAY }: { readonly sent?: number | undefined; readonly maxDelay?: number },
  ): { readonly delay: number | undefined; readonly interval: number | undefined } {
    const known = this.#keys.get(key);
    const traffic = known ?? {
      tokens: BURST,
      refilledAt: now,
      lastPush: now,
      waiting: 0,
      recent: new Map<string, number>(),
    };
    if (known === undefined) this.#keys.set(key, traffic);
    const interval = known === undefined ? undefined : Math.max(0, now - traffic.lastPush);
    // A clock that was set back gives no tokens, and takes none.
    const gained = (Math.max(0, now - traffic.refilledAt) * this.#rate) / MILLISECONDS.minute;
    traffic.tokens = Math.min(BURST, traffic.tokens + gained);
    traffic.refilledAt = traffic.lastPush = now;
    const cost = now - sent > PAST ? COST_OF_PAST : 1;
    if (traffic.waiting >= MAX_WAITING) return { delay: undefined, interval };
    const missing = Math.max(0, ((cost - traffic.tokens) * MILLISECONDS.minute) / this.#rate);
    // Below zero where uploads wait, but never so far that later ones would wait for longer.
    traffic.tokens = Math.max(traffic.tokens - cost, (-MAX_DELAY * this.#rate) / MILLISECONDS.minute);
    return { delay: Math.min(missing, maxDelay, MAX_DELAY), interval };
  }

  /** Must be called when an upload begins to wait, and `waitsNoLonger` when it is stored or given up. */
  waits(key: number): void {
    const traffic = this.#keys.get(key);
    if (traffic !== undefined) traffic.waiting += 1;
  }

  waitsNoLonger(key: number): void {
    const traffic = this.#keys.get(key);
    if (traffic !== undefined) traffic.waiting -= 1;
  }

  /** Whether an equal upload was accepted: lately where it has the time of receipt, at any time where it has its own. */
  isRepeated(key: number, digest: string, now: number, isReceiveTime: boolean): boolean {
    const at = this.#keys.get(key)?.recent.get(digest);
    return at !== undefined && (!isReceiveTime || Math.abs(now - at) <= REPEATED);
  }

  accepted(key: number, digest: string, now: number): void {
    const recent = this.#keys.get(key)?.recent;
    if (recent === undefined) return;
    recent.delete(digest);
    recent.set(digest, now);
    const [oldest] = recent.keys();
    if (oldest !== undefined && recent.size > MAX_RECENT) recent.delete(oldest);
  }
}
