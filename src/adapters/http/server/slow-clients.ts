import type { Exchange } from '../core/request/exchange.js';
import { networkOf } from '../core/request/network.js';
import type { Limits } from './limits.js';

interface Unread {
  readonly exchange: Exchange;
  /** Bytes of this reply that are held in this process. */
  readonly bytes: number;
  /** Bytes that the operating system had taken from the connection. */
  readonly taken: number;
  /** Since when that number has not changed, in milliseconds of the monotonic clock. */
  readonly since: number;
}

/**
 * Bounds what clients that do not read their replies can hold: for how long, how many replies and how many bytes. Looks at
 * them from time to time instead of at every request: the time-out alone, set for every request as `server.timeout` does,
 * costs 4 % of the throughput.
 */
export class SlowClients {
  readonly #limits: Pick<Limits, 'checkInterval' | 'idleTimeout' | 'unreadReplies' | 'unreadBytes'>;
  #known = new Map<Exchange, Unread>();

  constructor(limits: Pick<Limits, 'checkInterval' | 'idleTimeout' | 'unreadReplies' | 'unreadBytes'>) {
    this.#limits = limits;
  }

  /**
   * To be called every `checkInterval`. Where the replies of which nothing was read since the last call are too many or
   * too large together, it cuts some off: first of the network that has most of them, and there the oldest.
   *
   * @param inFlight in the order of arrival
   * @param now in milliseconds of the monotonic clock
   */
  check(inFlight: Iterable<Exchange>, now: number): void {
    const { checkInterval, idleTimeout } = this.#limits;
    const known = new Map<Exchange, Unread>();
    for (const exchange of inFlight) {
      if (exchange.startedAt > now - checkInterval) break;
      const { socket } = exchange.message;
      if (socket.timeout !== idleTimeout) socket.setTimeout(idleTimeout);
      const unread = this.#look(exchange, now);
      if (unread !== undefined) known.set(exchange, unread);
    }
    this.#known = known;
    this.#cutOff([...known.values()].filter(({ since }) => since < now));
  }

  #look(exchange: Exchange, now: number): Unread | undefined {
    const { response, message } = exchange;
    const bytes = response.writableLength;
    if (!response.headersSent || bytes === 0 || message.socket.destroyed) return undefined;
    const taken = message.socket.bytesWritten - message.socket.writableLength;
    const before = this.#known.get(exchange);
    const since = before !== undefined && before.taken === taken ? before.since : now;
    return { exchange, bytes, taken, since };
  }

  #cutOff(stalled: readonly Unread[]): void {
    const { unreadReplies, unreadBytes } = this.#limits;
    let replies = stalled.length;
    let bytes = stalled.reduce((sum, unread) => sum + unread.bytes, 0);
    for (const { exchange, bytes: held } of inOrderOfRemoval(stalled)) {
      if (replies <= unreadReplies && bytes <= unreadBytes) return;
      replies -= 1;
      bytes -= held;
      exchange.message.socket.destroy();
    }
  }
}

/** The replies in the order in which they are cut off: at each step the oldest one of the network that has most of them. */
function inOrderOfRemoval(stalled: readonly Unread[]): Unread[] {
  const newestFirst = stalled.toSorted((a, b) => b.since - a.since);
  const counts = new Map<string, number>();
  const ranked = newestFirst.map((unread): [rank: number, unread: Unread] => {
    const { client } = unread.exchange;
    const network = networkOf(client) ?? client;
    const rank = (counts.get(network) ?? 0) + 1;
    counts.set(network, rank);
    return [rank, unread];
  });
  return ranked.sort(([a, one], [b, other]) => b - a || one.since - other.since).map(([, unread]) => unread);
}
