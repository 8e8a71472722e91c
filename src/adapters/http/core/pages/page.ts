import type { IncomingHttpHeaders } from 'node:http';

/** A page or a file for browsers. It has a route beside the routes of the API, but is not in the OpenAPI document of the API. */
export interface Page {
  /**
   * The path, in the form of the path of an endpoint. If an endpoint has the same path, callers who prefer `text/html` get the page.
   * The page `*` is for unknown paths.
   */
  readonly path: string;
  /** Answers a request for the page. Rejects only for faults of the service. The page itself describes mistakes of the visitor. */
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
  /** UTF-8 text, or the bytes in each content coding: `identity`, and the codings in which the build has compressed the bytes. */
  readonly body: string | ReadonlyMap<string, Uint8Array>;
}
