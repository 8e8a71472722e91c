/** One request in the log. It contains no values, paths or secrets. */
export interface UploadLogEntry {
  readonly client: string;
  /** The method; empty if it is unknown. */
  readonly method: string;
  /** Name of the dialect, which is the protocol of the station; null if the request has none. */
  readonly dialect: string | null;
  /** Status of the reply; null if the connection ended without a reply. */
  readonly status: number | null;
  /** Duration from the start of the connection to the reply. */
  readonly milliseconds: number;
}

/** Numbers of connections since the last report. */
export interface ConnectionCounts {
  /**
   * Connections that were closed without reading their request, because there were too many connections of one network or in
   * total.
   */
  readonly refused: number;
  /** Connections of clients that expected TLS. */
  readonly tls: number;
}

export interface UploadLog {
  request(record: UploadLogEntry): void;
  /** Called at most once in ten seconds, and only if a count is not 0. */
  connections(counts: ConnectionCounts): void;
}
