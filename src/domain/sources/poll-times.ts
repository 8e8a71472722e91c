import { MILLISECONDS } from '../time.js';

/** Largest share of the interval by which a request is delayed at random, so that clients do not all ask at the same moment. */
const JITTER = 0.1;
/** Delay after the first failure, and the longest delay, which failures double up to. */
const [FIRST_DELAY, LONGEST_DELAY] = [MILLISECONDS.second, 5 * MILLISECONDS.minute];

/** What decides when the next request may be sent. All times are of one clock, in milliseconds. */
export interface PollOutcome {
  /** Time at which the last request was sent. */
  readonly askedAt: number;
  /** Time at which its outcome was known. */
  readonly endedAt: number;
  /** Milliseconds between two requests. */
  readonly interval: number;
  /** Number of failures since the last success. */
  readonly failures: number;
  /** Milliseconds that the service has asked to wait for, from the end (`Retry-After`). */
  readonly retryAfter?: number | undefined;
  /** Milliseconds from the end for which the reply stays valid (`Expires`, `Cache-Control`). */
  readonly freshFor?: number | undefined;
}

/**
 * The time of the next request. It is never earlier than the interval, the freshness of the reply and the wish of the service
 * allow. A random part only makes the wait longer.
 *
 * @param random returns a number from 0 to 1
 */
export function nextPoll(outcome: PollOutcome, random: () => number = Math.random): number {
  const { askedAt, endedAt, interval, failures, retryAfter = 0, freshFor = 0 } = outcome;
  const longer = 1 + random() * JITTER;
  if (failures === 0) return Math.max(askedAt + interval * longer, endedAt + freshFor * longer);
  const delay = Math.min(FIRST_DELAY * 2 ** (failures - 1), LONGEST_DELAY);
  return endedAt + Math.max(delay, retryAfter) * longer;
}
