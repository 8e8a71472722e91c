import type { Readable } from 'node:stream';
import type { Reply } from './reply.js';

/** A version of a reply. The body is built only for a client that does not have this version. */
export interface Content {
  readonly mediaType: string;
  /** An ETag without quotes; undefined if the version is unknown. */
  readonly etag?: string;
  /** Whether replies with the same ETag may differ in fields that depend only on the current time (RFC 9110, section 8.8.1). */
  readonly isWeak?: true;
  /** Whether the content is never compressed. Every client then gets the same ETag, and can send this ETag in If-Match later. */
  readonly isUncoded?: true;
  readonly cacheControl?: string;
  /** A request header on which the content depends, for the header `Vary`. */
  readonly vary?: string;
  /**
   * Whether clients may ask for a part of the body with the header `Range`, and for exactly this version with `If-Match`. Such
   * content has an ETag, and is not compressed.
   */
  readonly acceptsRanges?: true;
  /**
   * Called only if the client does not have this version.
   *
   * @param range the header `Range`, if the content accepts ranges and the header applies to this version; see `partOf`
   */
  body(range?: string): Promise<ContentBody>;
  /** Called instead of `body` if the client has this version. Releases what was kept for the body. */
  release?(): void;
}

export interface ContentBody {
  /** 206 if the content is a part. Undefined means the status of the endpoint. */
  readonly status?: 206 | undefined;
  /** A string is sent as UTF-8. */
  readonly content: string | Uint8Array | Readable;
  readonly headers?: Readonly<Record<string, string>>;
  readonly compression?: Reply['compression'];
}
