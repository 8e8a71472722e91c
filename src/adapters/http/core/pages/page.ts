import type { IncomingHttpHeaders } from 'node:http';

/** A page or a file for browsers. It is served beside the API and is not in its OpenAPI document. */
export interface Page {
  /**
   * The path, in the form of the path of an endpoint. If an endpoint has the same path, callers who prefer `text/html` get the page.
   * The page `*` is for unknown paths.
   */
  readonly path: string;
  /** Rejects only for faults of the service. Mistakes of the visitor are described in the page itself. */
  readonly answer: (request: PageRequest) => PageReply | Promise<PageReply>;
}

export interface PageRequest {
  /** Path parameters, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The query as sent, without the question mark. */
  readonly search: string;
  readonly headers: IncomingHttpHeaders;
  /** Reads the API in the same process, as a visitor without a token. See `inProcessReader`. */
  readonly read: (target: string) => Promise<unknown>;
}

export interface PageReply {
  readonly status: number;
  /** Headers with lower-case names, including `content-type`. They replace the API's headers of the same names. */
  readonly headers: Readonly<Record<string, string>>;
  /** A strong ETag without quotes. */
  readonly etag: string;
  /** UTF-8 text, or the bytes by content coding: `identity`, and the codings in which they were compressed at build. */
  readonly body: string | ReadonlyMap<string, Uint8Array>;
}
