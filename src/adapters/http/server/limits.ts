import { MILLISECONDS } from '#domain/time.js';
/** Limits for the sockets of clients, the same on every transport. Times in milliseconds. */
export interface Limits {
  /** From the first byte of a request, or the opening of the connection, to the end of its headers. */
  readonly headersTimeout: number;
  /** From the same to the end of the body. */
  readonly requestTimeout: number;
  /** Idle time between two requests. */
  readonly keepAliveTimeout: number;
  /** Time without a byte in either direction: a client that does not read its reply. */
  readonly idleTimeout: number;
  /** How often the two first are looked at; Node's own 30 s would let a silent client stay that long. */
  readonly checkInterval: number;
  /** Bytes of request line and headers. */
  readonly maxHeaderSize: number;
  readonly maxConnections: number;
  /** Connections of one network: an IPv4 address or an IPv6 /64. Trusted proxies are not counted. */
  readonly maxConnectionsPerNetwork: number;
  /** Requests of one connection that wait while an earlier one is answered; with so many it is not read any more. */
  readonly maxPipelined: number;
  /** The same for all connections together. A connection that exceeds it is closed. A waiting request takes about 4 KB. */
  readonly maxWaiting: number;
  /** Largest number of replies that their clients do not read, for all connections together. */
  readonly unreadReplies: number;
  /** Largest number of bytes in those replies. */
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
 * For bodies of gigabytes: a client may take an hour, but must not pause for longer than `idleTimeout`. The callers are the
 * operator's own programs, often all on one machine, so that a network has no share.
 */
export const BULK_LIMITS: Limits = {
  ...DEFAULT_LIMITS,
  requestTimeout: MILLISECONDS.hour,
  maxConnectionsPerNetwork: DEFAULT_LIMITS.maxConnections,
};
