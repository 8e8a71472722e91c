import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { ProtocolError } from '../core/errors.js';
import { exchangeOf } from '../core/request/exchange.js';
import { networkOf } from '../core/request/network.js';

const MINUTE = 60_000;
/** Networks that are counted at a time; beyond it the one that was quiet for longest is forgotten. */
const MAX_NETWORKS = 50_000;

/**
 * Refuses whoever asks more than `limit` times in a minute, whatever the route. Each instance counts for itself: this
 * keeps one client from taking all of it, and guards no secret.
 *
 * @throws ProtocolError RATE_LIMITED
 */
export function requestLimit(limit: number): ((message: IncomingMessage) => void) | undefined {
  if (limit === 0) return undefined;
  const counts = new LRUCache<string, { requests: number }>({ max: MAX_NETWORKS, ttl: MINUTE });
  return (message) => {
    const { client } = exchangeOf(message);
    const network = networkOf(client) ?? client;
    const count = counts.get(network);
    if (count === undefined) {
      counts.set(network, { requests: 1 });
      return;
    }
    count.requests += 1;
    if (count.requests <= limit) return;
    const wait = Math.max(1, Math.ceil(counts.getRemainingTTL(network) / 1000));
    throw new ProtocolError('RATE_LIMITED', `More than ${limit} requests in a minute.`, {
      'retry-after': String(wait),
      'ratelimit-policy': `"requests";q=${limit};w=${MINUTE / 1000}`,
      ratelimit: `"requests";r=0;t=${wait}`,
    });
  };
}
