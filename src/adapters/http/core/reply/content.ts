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
  /** Called only if the client does not have this version. */
  body(): Promise<ContentBody>;
  /** Called instead of `body` if the client has this version. Releases what was kept for the body. */
  release?(): void;
}

export interface ContentBody {
  /** A string is sent as UTF-8. */
  readonly content: string | Uint8Array | Readable;
  readonly headers?: Readonly<Record<string, string>>;
  readonly compression?: Reply['compression'];
}
