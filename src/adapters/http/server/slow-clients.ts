import type { Exchange } from '../core/request/exchange.js';
import { networkOf } from '../core/request/network.js';
import type { Limits } from './limits.js';

/** A reply of which some bytes wait in the memory of this process, because the client reads slowly. */
interface Unread {
  readonly exchange: Exchange;
  /** Bytes of this reply in the memory of this process. */
  readonly bytes: number;
  /** Bytes of the connection that were passed to the operating system. */
  readonly passed: number;
  /** The time of the first check at which `passed` had its present value, in milliseconds of the monotonic clock. */
  readonly since: number;
}

/**
 * Limits the time, the number and the bytes of replies that clients do not read. The replies are checked at intervals and not at
 * every request, because a time-out for every request, as with `server.timeout`, costs 4 % of the throughput.
 */
export class SlowClients {
  readonly #limits: Pick<Limits, 'checkInterval' | 'idleTimeout' | 'unreadReplies' | 'unreadBytes'>;
  /** The unread replies at the last check. */
  #unread = new Map<Exchange, Unread>();

  constructor(limits: Pick<Limits, 'checkInterval' | 'idleTimeout' | 'unreadReplies' | 'unreadBytes'>) {
    this.#limits = limits;
  }

  /**
   * To be called every `checkInterval`. A reply is stalled if the client has read nothing of it since the last call. If there are
   * too many stalled replies, or if they are too large together, some connections are closed: first the connections of the
   * network with the most stalled replies, and in this network the oldest reply first.
   *
   * @param inFlight the exchanges in the order of arrival
   * @param now milliseconds of the monotonic clock
   */
  check(inFlight: Iterable<Exchange>, now: number): void {
    const { checkInterval, idleTimeout } = this.#limits;
    const current = new Map<Exchange, Unread>();
    for (const exchange of inFlight) {
      if (exchange.startedAt > now - checkInterval) break;
      const { socket } = exchange.message;
      if (socket.timeout !== idleTimeout) socket.setTimeout(idleTimeout);
      const unread = this.#unreadOf(exchange, now);
      if (unread !== undefined) current.set(exchange, unread);
    }
    this.#unread = current;
    this.#cutOff([...current.values()].filter(({ since }) => since < now));
  }

  #unreadOf(exchange: Exchange, now: number): Unread | undefined {
    const { response, message } = exchange;
    const bytes = response.writableLength;
    if (!response.headersSent || bytes === 0 || message.socket.destroyed) return undefined;
    const passed = message.socket.bytesWritten - message.socket.writableLength;
    const before = this.#unread.get(exchange);
    const since = before !== undefined && before.passed === passed ? before.since : now;
    return { exchange, bytes, passed, since };
  }

  #cutOff(stalled: readonly Unread[]): void {
    const { unreadReplies, unreadBytes } = this.#limits;
    let replies = stalled.length;
    let bytes = stalled.reduce((sum, unread) => sum + unread.bytes, 0);
    for (const { exchange, bytes: own } of inOrderOfRemoval(stalled)) {
      if (replies <= unreadReplies && bytes <= unreadBytes) return;
      replies -= 1;
      bytes -= own;
      exchange.message.socket.destroy();
    }
  }
}

/** Sorts the replies in the order in which they are cut off: at each step the oldest reply of the network with the most replies. */
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
