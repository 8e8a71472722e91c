/** Bounds on what a client may do to a socket, the same on every transport. Times in milliseconds. */
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
}

export const DEFAULT_LIMITS: Limits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 15_000,
  idleTimeout: 60_000,
  checkInterval: 1000,
  maxHeaderSize: 16_384,
  maxConnections: 4096,
};

/** For bodies of gigabytes: whoever sends one must only never pause for longer than `idleTimeout`. */
export const BULK_LIMITS: Limits = { ...DEFAULT_LIMITS, requestTimeout: 3_600_000 };
