import type { IncomingMessage } from 'node:http';
import { MILLISECONDS } from '#domain/time.js';
import { ProtocolError } from '../core/errors.js';
import { exchangeOf } from '../core/request/exchange.js';
import { networkOf } from '../core/request/network.js';

/** Largest number of keys in memory. When there are more keys, the key whose minute began first is removed. */
const MAX_KEYS = 50_000;

/**
 * Returns a function that refuses a client with more than `limit` requests in a minute. All routes count together, and each
 * instance counts separately. The function throws a ProtocolError RATE_LIMITED.
 *
 * The limit prevents one client from using the whole capacity. It does not protect secrets.
 *
 * @param limit 0 means no limit; the result is then undefined
 */
export function requestLimit(limit: number): ((message: IncomingMessage) => void) | undefined {
  if (limit === 0) return undefined;
  const count = minuteCounter(limit);
  return (message) => {
    const { client, startedAt } = exchangeOf(message);
    count(networkOf(client) ?? client, startedAt);
  };
}

/**
 * Counts requests by a key, such as a network.
 *
 * @returns a function that counts a request. `now` is in milliseconds of the process's monotonic clock. The returned function
 *   throws a ProtocolError RATE_LIMITED if the key has more than `limit` requests in a minute.
 */
export function minuteCounter(limit: number): (key: string, now: number) => void {
  /** The counts by key, sorted by the start of the minute. */
  const counts = new Map<string, { requests: number; readonly began: number }>();
  return (key, now) => {
    const count = counts.get(key);
    if (count === undefined || now - count.began >= MILLISECONDS.minute) {
      counts.delete(key);
      counts.set(key, { requests: 1, began: now });
      const [oldest] = counts.keys();
      if (oldest !== undefined && counts.size > MAX_KEYS) counts.delete(oldest);
      return;
    }
    count.requests += 1;
    if (count.requests <= limit) return;
    const wait = Math.max(1, Math.ceil((count.began + MILLISECONDS.minute - now) / 1000));
    throw new ProtocolError(
      'RATE_LIMITED',
      `You have sent more than ${limit} requests in a minute. Try again in ${wait} s.`,
      {
        'retry-after': String(wait),
        'ratelimit-policy': `"requests";q=${limit};w=${MILLISECONDS.minute / 1000}`,
        ratelimit: `"requests";r=0;t=${wait}`,
      },
    );
  };
}
