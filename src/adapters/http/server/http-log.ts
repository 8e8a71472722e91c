/** One request in the log. Nothing in it holds a body, a header or a raw path. */
export interface RequestRecord {
  readonly id: string;
  readonly client: string;
  readonly method: string;
  /** The declared path, or null where none matched. */
  readonly route: string | null;
  /** Null when the client was gone before there was one. */
  readonly status: number | null;
  /** From the end of the request's headers to the end of the reply. */
  readonly milliseconds: number;
  /** Whether the client left before the reply was complete. */
  readonly aborted: boolean;
}

/** The log of the server. */
export interface HttpLog {
  request(record: RequestRecord): void;
  /** A request that could not be parsed: its id and the reason. Nothing of its content is logged. */
  refusal(id: string, error: string, reason: string | undefined): void;
  /** Connections that were closed unread because there were too many, of one network or altogether. */
  connectionsRefused(count: number): void;
  /** At the start: this version of Node writes heads differently than we do, so that it writes every reply itself. */
  headTextRefused(): void;
}
