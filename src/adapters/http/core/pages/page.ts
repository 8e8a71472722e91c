import type { IncomingHttpHeaders } from 'node:http';

/** A page or a file for browsers. It is served beside the API and is not in its OpenAPI document. */
export interface Page {
  /**
   * As the path of an endpoint. At the path of an endpoint, callers who prefer `text/html` get the page. The page `*` is for those of
   * them who ask for a path that nothing has.
   */
  readonly path: string;
  /** Rejects only for faults of the service: a page describes what the visitor did wrong itself. */
  readonly answer: (request: PageRequest) => PageReply | Promise<PageReply>;
}

export interface PageRequest {
  /** Path parameters, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The query as sent, without its question mark. */
  readonly search: string;
  readonly headers: IncomingHttpHeaders;
  /** Reads the API in the same process, as this visitor without a token. See `readInProcess`. */
  readonly read: (target: string) => Promise<unknown>;
}

export interface PageReply {
  readonly status: number;
  /** In lower case, with the type of the content. They replace those of the API. */
  readonly headers: Readonly<Record<string, string>>;
  /** A strong ETag without its quotes. */
  readonly etag: string;
  /** UTF-8 text, or the content by content coding: `identity`, and those in which it was compressed beforehand. */
  readonly body: string | ReadonlyMap<string, Uint8Array>;
}
