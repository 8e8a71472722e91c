/** One request in the log. It contains no body, no header and no path as sent. */
export interface RequestRecord {
  readonly id: string;
  readonly client: string;
  readonly method: string;
  /** The declared path, or null if no route matched. */
  readonly route: string | null;
  /** Null if the client disconnected before a status was sent. */
  readonly status: number | null;
  /** Time from the end of the request's headers to the end of the reply. */
  readonly milliseconds: number;
  /** Whether the client disconnected before the reply was complete. */
  readonly aborted: boolean;
}

/** The log of the server. */
export interface HttpLog {
  request(record: RequestRecord): void;
  /** Logs a request that could not be parsed: its id and the reason, but nothing of its content. */
  refusal(id: string, error: string, reason: string | undefined): void;
  /** Logs the number of connections that were closed unread, because the network or the server had too many connections. */
  connectionsRefused(count: number): void;
  /**
   * Called at the start if `HeadText`, a faster replacement for Node's own writing of replies, would write other bytes than this
   * version of Node. Node then writes every reply itself.
   */
  headTextRefused(): void;
}
