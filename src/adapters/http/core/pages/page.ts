import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { TokenAccess } from '../endpoint.js';

/** A page or a file for browsers. It has a route beside the routes of the API, but is not in the OpenAPI document of the API. */
export interface Page {
  /**
   * The path, in the form of the path of an endpoint. If an endpoint has the same path, callers who prefer `text/html` get the page.
   * The page `*` is for unknown paths.
   */
  readonly path: string;
  /**
   * The token that the page accepts or requires, as for an endpoint. Without this property the page ignores tokens: browsers send
   * no token when they open a page.
   */
  readonly access?: 'optional-token' | TokenAccess;
  /** Answers a request for the page. Rejects only for faults of the service. The page itself describes mistakes of the visitor. */
  readonly answer: (request: PageRequest) => PageReply | Promise<PageReply>;
}

export interface PageRequest {
  /** GET or HEAD. The reply to HEAD is sent without its body. */
  readonly method: string;
  /** Path parameters, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The query as sent, without the question mark. */
  readonly search: string;
  readonly headers: IncomingHttpHeaders;
  /** The network of the client, for limits of each visitor. */
  readonly network: string;
  /** Reads the API in the same process, as a visitor without a token or, with `access`, as the user of the token. See `inProcessReader`. */
  readonly read: (target: string) => Promise<unknown>;
}

export interface PageReply {
  readonly status: number;
  /** Headers with lower-case names, including `content-type`. They replace the API's headers of the same names. */
  readonly headers: Readonly<Record<string, string>>;
  /** A strong ETag without quotes. */
  readonly etag: string;
  /** UTF-8 text, or the bytes in each content coding: `identity`, and the codings in which the build has compressed the bytes. */
  readonly body: string | ReadonlyMap<string, Uint8Array> | StreamedBody;
}

/** Bytes that are not kept in memory. They are sent as they are, without a content coding. */
export interface StreamedBody {
  readonly length: number;
  /** Called only if the bytes are sent: not for HEAD, and not for 304. */
  readonly open: () => Readable;
}
