import type { IncomingMessage } from 'node:http';
import { MILLISECONDS } from '../../../domain/time.js';
import { ProtocolError } from '../core/errors.js';
import { exchangeOf } from '../core/request/exchange.js';
import { networkOf } from '../core/request/network.js';

/** Networks that are counted at a time. Beyond it the one whose minute began first is forgotten. */
const MAX_NETWORKS = 50_000;

/**
 * Refuses whoever asks more than `limit` times in a minute, whatever the route. Each instance counts for itself: this
 * keeps one client from taking all of it, and guards no secret.
 *
 * @throws ProtocolError RATE_LIMITED
 */
export function requestLimit(limit: number): ((message: IncomingMessage) => void) | undefined {
  if (limit === 0) return undefined;
  /** In the order in which their minutes began. */
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
