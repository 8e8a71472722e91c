/** One request in the log. Nothing in it holds a value, a path or a secret. */
export interface UploadLogEntry {
  readonly client: string;
  /** Empty if the request has none that is known. */
  readonly method: string;
  /** The dialect; null if the request has none. */
  readonly dialect: string | null;
  /** Null if the client left before there was a reply. */
  readonly status: number | null;
  /** From the first byte to the end of the reply. */
  readonly milliseconds: number;
}

/** What happened to connections since the last report. */
export interface ConnectionCounts {
  /** Closed unread, because there were too many, of one address or altogether. */
  readonly refused: number;
  /** Clients that expected TLS. */
  readonly tls: number;
}

export interface UploadLog {
  request(record: UploadLogEntry): void;
  /** Called at most once in ten seconds, and only if a count is not 0. */
  connections(counts: ConnectionCounts): void;
}
