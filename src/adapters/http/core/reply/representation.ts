import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Content, ContentBody } from '../endpoint.js';
import { acceptedCoding } from './accept-encoding.js';
import { isCompressible } from './compression.js';
import { emptyReply, type Reply, streamReply, varyBy } from './reply.js';

/** A content and its body, or null where the client has it. */
export interface Represented {
  readonly content: Content;
  /** The ETag of the content in the coding that the client accepts. */
  readonly etag: string | undefined;
  readonly body: ContentBody | null;
}

/** Makes the body, unless the client holds the same version already (If-None-Match, RFC 9110, section 13.1.2). */
export async function represent(
  message: IncomingMessage,
  content: Content,
  isSecret: boolean,
): Promise<Represented> {
  const etag = isSecret ? content.etag : etagFor(message, content);
  const has = etag !== undefined && isHeld(message.headers['if-none-match'], etag);
  return { content, etag, body: has ? null : await content.body() };
}

/**
 * Each coding has an ETag of its own (RFC 9110, section 8.8.3.3). It depends on what the client accepts, and not on whether the
 * body is long enough to be compressed, because a 304 is sent before the body is made.
 */
function etagFor({ headers }: IncomingMessage, { etag, mediaType }: Content): string | undefined {
  const { coding } = acceptedCoding(headers['accept-encoding']);
  return etag === undefined || coding === undefined || !isCompressible(mediaType)
    ? etag
    : `${etag}-${coding}`;
}

export function contentReply(
  status: number,
  { content: { mediaType }, etag, body }: Represented,
  common: Record<string, string>,
): Reply {
  const headers: Record<string, string> = isCompressible(mediaType)
    ? { ...varyBy(common, 'Accept-Encoding') }
    : common;
  if (etag !== undefined) headers['etag'] = `"${etag}"`;
  if (body === null) return emptyReply(304, headers);
  Object.assign(headers, body.headers);
  const { content, compression } = body;
  if (content instanceof Readable)
    return { ...streamReply(status, mediaType, content, headers), compression };
  headers['content-type'] = mediaType;
  headers['content-length'] = String(Buffer.byteLength(content));
  return { status, headers, body: content, compression };
}

/**
 * Whether the client has the version `etag` (RFC 9110, section 13.1.2). The comparison is weak, as the section requires.
 *
 * @param condition the header If-None-Match
 */
export function isHeld(condition: string | undefined, etag: string): boolean {
  if (condition === undefined) return false;
  return (
    condition.trim() === '*' ||
    condition.split(',').some((held) => held.trim().replace(/^W\//, '') === `"${etag}"`)
  );
}
