import { MILLISECONDS } from '#domain/time.js';
/** Limits for the sockets of clients. They are the same with Express, Fastify and any other router. Times are in milliseconds. */
export interface Limits {
  /** Longest time from the first byte of a request, or from the opening of the connection, to the end of the headers. */
  readonly headersTimeout: number;
  /** Longest time from the first byte of a request, or from the opening of the connection, to the end of the body. */
  readonly requestTimeout: number;
  /** Longest idle time between two requests of a connection. */
  readonly keepAliveTimeout: number;
  /** Longest time without a byte in either direction, for example if a client does not read its reply. */
  readonly idleTimeout: number;
  /**
   * Interval between two checks of `headersTimeout` and `requestTimeout`. With Node's default of 30 s, a silent client could stay
   * connected for 30 s longer than these limits.
   */
  readonly checkInterval: number;
  /** Largest number of bytes of the request line and the headers. */
  readonly maxHeaderSize: number;
  readonly maxConnections: number;
  /** Largest number of connections of one network: an IPv4 address or an IPv6 /64. Trusted proxies are not limited. */
  readonly maxConnectionsPerNetwork: number;
  /**
   * Largest number of requests of a connection that wait for an earlier reply. When this number is reached, the connection is not
   * read.
   */
  readonly maxPipelined: number;
  /**
   * Largest number of waiting requests of all connections. The connection whose request exceeds the number is closed. A waiting
   * request uses about 4 KB.
   */
  readonly maxWaiting: number;
  /** Largest number of replies that clients do not read, for all connections together. */
  readonly unreadReplies: number;
  /** Largest number of bytes in the replies that clients do not read. */
  readonly unreadBytes: number;
}

export const DEFAULT_LIMITS: Limits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 15_000,
  idleTimeout: 60_000,
  checkInterval: 1000,
  maxHeaderSize: 16_384,
  maxConnections: 4096,
  maxConnectionsPerNetwork: 512,
  maxPipelined: 256,
  maxWaiting: 16_384,
  unreadReplies: 64,
  unreadBytes: 64 * 2 ** 20,
};

/**
 * Limits for bodies of gigabytes. A request may last an hour, but the client must not pause for longer than `idleTimeout`. The
 * clients are the operator's own programs, often all on one machine, so the connections of a network are not limited.
 */
export const BULK_LIMITS: Limits = {
  ...DEFAULT_LIMITS,
  requestTimeout: MILLISECONDS.hour,
  maxConnectionsPerNetwork: DEFAULT_LIMITS.maxConnections,
};
