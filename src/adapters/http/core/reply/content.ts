import type { Readable } from 'node:stream';
import type { Reply } from './reply.js';

/** A version of a representation, whose body is made only for a client that does not have it. */
export interface Content {
  readonly mediaType: string;
  /** An ETag without its quotes; undefined where the version is unknown. */
  readonly etag?: string;
  /** Whether replies with the same ETag may differ in what changes with the clock alone (RFC 9110, section 8.8.1). */
  readonly isWeak?: true;
  /** Whether it is sent as it is. Its ETag is then the same for every client, so that a later request can name it in If-Match. */
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
