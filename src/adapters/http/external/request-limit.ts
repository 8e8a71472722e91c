import type { IncomingMessage } from 'node:http';
import { MILLISECONDS } from '../../../domain/time.js';
import { ProtocolError } from '../core/errors.js';
import { exchangeOf } from '../core/request/exchange.js';
import { networkOf } from '../core/request/network.js';

/** Largest number of networks that are counted. Beyond it, the network whose minute began first is removed. */
const MAX_NETWORKS = 50_000;

/**
 * Refuses a client that sends more than `limit` requests in a minute, for all routes together. Each instance counts
 * separately. The limit keeps one client from using the whole capacity; it does not protect secrets.
 *
 * @throws ProtocolError RATE_LIMITED
 */
export function requestLimit(limit: number): ((message: IncomingMessage) => void) | undefined {
  if (limit === 0) return undefined;
  /** Sorted by the start of their minutes. */
  const counts = new Map<string, { requests: number; readonly began: number }>();
  return (message) => {
    const { client, startedAt } = exchangeOf(message);
    const network = networkOf(client) ?? client;
    const count = counts.get(network);
    if (count === undefined || startedAt - count.began >= MILLISECONDS.minute) {
      counts.delete(network);
      counts.set(network, { requests: 1, began: startedAt });
      const [oldest] = counts.keys();
      if (oldest !== undefined && counts.size > MAX_NETWORKS) counts.delete(oldest);
      return;
    }
    count.requests += 1;
    if (count.requests <= limit) return;
    const wait = Math.max(1, Math.ceil((count.began + MILLISECONDS.minute - startedAt) / 1000));
    throw new ProtocolError('RATE_LIMITED', `More than ${limit} requests in a minute.`, {
      'retry-after': String(wait),
      'ratelimit-policy': `"requests";q=${limit};w=${MILLISECONDS.minute / 1000}`,
      ratelimit: `"requests";r=0;t=${wait}`,
    });
  };
}
