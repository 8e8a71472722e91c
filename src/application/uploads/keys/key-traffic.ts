import { MILLISECONDS } from '#domain/time.js';

/** Maximum number of uploads of a key in a minute. */
const RATE = 40;
/** Maximum number of uploads of a key at once after a pause. */
const BURST = 60;
/**
 * How much an upload of the past counts, if a current upload counts 1. The number is small, because weather software sends many
 * uploads of the past at once after an outage.
 */
const COST_OF_PAST = 1 / 16;
/** Age in milliseconds above which an upload counts as an upload of the past. */
const PAST = 5 * MILLISECONDS.minute;
/**
 * Maximum delay in milliseconds of an upload of a key that sends too fast. Software and consoles wait for a reply for about ten
 * seconds.
 */
const MAX_DELAY = 3000;
/** Maximum number of waiting uploads of a key. A console never sends more uploads at the same time. */
const MAX_WAITING = 64;
/** Number of uploads whose digests are remembered. */
const MAX_RECENT = 64;
/**
 * If an upload contains no usable time, its time is the time of receipt. Two equal uploads of this kind are then one upload that
 * was sent twice, if the second one arrives within this number of milliseconds. Otherwise they are two uploads.
 */
const REPEATED = 2000;

interface Traffic {
  /**
   * The rate of uploads is limited by tokens. An upload takes one token, and an upload of the past takes `COST_OF_PAST` of a
   * token. Tokens are added evenly: `rate` tokens in a minute, but never more than `BURST` are kept.
   */
  tokens: number;
  /** Time of the last addition of tokens. `refilledAt` and `lastPush` are in milliseconds since 1970-01-01T00:00:00Z. */
  refilledAt: number;
  lastPush: number;
  /** Number of uploads of the key that wait or are being stored. */
  waiting: number;
  /** Time of receipt of each accepted upload, by the digest of the upload. The oldest upload is first. */
  readonly recent: Map<string, number>;
}

/** Limits the rate of the uploads of each key, and finds repeated uploads. The data are only in the memory of this process. */
export class KeyTraffic {
  readonly #rate: number;
  readonly #keys = new Map<number, Traffic>();

  /** @param rate uploads of a key in a minute */
  constructor(rate = RATE) {
    this.#rate = rate;
  }

  /**
   * Counts an upload of a key, and returns by how much the upload must be delayed. If a key sends too fast, its uploads are
   * delayed and not refused. After an outage, weather software sends its stored records one after the other, and would drop a
   * record that is refused.
   *
   * @param sent time of the values in milliseconds since 1970-01-01T00:00:00Z; if absent: `now`
   * @param maxDelay maximum delay of this upload in milliseconds
   * @param now milliseconds since 1970-01-01T00:00:00Z
   * @returns `delay`: milliseconds after which the upload may be stored; undefined if `MAX_WAITING` uploads of the key already
   *   wait. `interval`: milliseconds since the last upload of the key; undefined for the first upload
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
    // If the clock was set back, no tokens are added.
    const gained = (Math.max(0, now - traffic.refilledAt) * this.#rate) / MILLISECONDS.minute;
    traffic.tokens = Math.min(BURST, traffic.tokens + gained);
    traffic.refilledAt = traffic.lastPush = now;
    const cost = now - sent > PAST ? COST_OF_PAST : 1;
    if (traffic.waiting >= MAX_WAITING) return { delay: undefined, interval };
    const missing = Math.max(0, ((cost - traffic.tokens) * MILLISECONDS.minute) / this.#rate);
    // While uploads wait, the number of tokens is negative: each waiting upload has already taken its token. The number has a
    // lower limit, so that no later upload waits longer than `MAX_DELAY`.
    traffic.tokens = Math.max(traffic.tokens - cost, (-MAX_DELAY * this.#rate) / MILLISECONDS.minute);
    return { delay: Math.min(missing, maxDelay, MAX_DELAY), interval };
  }

  /** Must be called when an upload starts to wait. `endWait` must be called when the upload is stored or given up. */
  beginWait(key: number): void {
    const traffic = this.#keys.get(key);
    if (traffic !== undefined) traffic.waiting += 1;
  }

  endWait(key: number): void {
    const traffic = this.#keys.get(key);
    if (traffic !== undefined) traffic.waiting -= 1;
  }

  /**
   * Whether an upload repeats one of the last `MAX_RECENT` accepted uploads of the key.
   *
   * @param isReceiveTime whether the time of the upload is the time of receipt. Two equal uploads are then a repetition only if
   *   the second one arrives within `REPEATED` milliseconds.
   */
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
