import type { Readable } from 'node:stream';
import type { Reply } from './reply.js';

/** A version of a reply. Its body is built only for a client that does not have this version. */
export interface Content {
  readonly mediaType: string;
  /** An ETag without quotes; undefined if the version is unknown. */
  readonly etag?: string;
  /** Whether replies with the same ETag may differ in fields that depend only on the current time (RFC 9110, section 8.8.1). */
  readonly isWeak?: true;
  /** Whether the content is never compressed. Every client then gets the same ETag, so that a later request can send it in If-Match. */
  readonly isUncoded?: true;
  readonly cacheControl?: string;
  /** Called only if the client does not have this version. */
  body(): Promise<ContentBody>;
  /** Called instead of `body` if the client has this version. */
  release?(): void;
}

export interface ContentBody {
  /** A string is UTF-8. */
  readonly content: string | Uint8Array | Readable;
  readonly headers?: Readonly<Record<string, string>>;
  readonly compression?: Reply['compression'];
}
