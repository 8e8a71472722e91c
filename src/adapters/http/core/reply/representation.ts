import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Content, ContentBody } from './content.js';
import { isHeld } from '../request/conditions.js';
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
  if (has) content.release?.();
  return { content, etag, body: has ? null : await content.body() };
}

/**
 * Each coding has an ETag of its own (RFC 9110, section 8.8.3.3). It depends on what the client accepts, and not on whether the
 * body is long enough to be compressed, because a 304 is sent before the body is made.
 */
function etagFor({ headers }: IncomingMessage, content: Content): string | undefined {
  const { etag } = content;
  const { coding } = acceptedCoding(headers['accept-encoding']);
  return etag === undefined || coding === undefined || !isCoded(content) ? etag : `${etag}-${coding}`;
}

function isCoded({ mediaType, isUncoded }: Content): boolean {
  return isUncoded !== true && isCompressible(mediaType);
}

export function contentReply(
  status: number,
  { content: represented, etag, body }: Represented,
  common: Record<string, string>,
): Reply {
  const { mediaType } = represented;
  const headers: Record<string, string> = isCoded(represented)
    ? { ...varyBy(common, 'Accept-Encoding') }
    : common;
  if (etag !== undefined) headers['etag'] = `${represented.isWeak === true ? 'W/' : ''}"${etag}"`;
  if (body === null) return emptyReply(304, headers);
  Object.assign(headers, body.headers);
  const { content } = body;
  const compression = represented.isUncoded === true ? 'none' : body.compression;
  if (content instanceof Readable)
    return { ...streamReply(status, mediaType, content, headers), compression };
  headers['content-type'] = mediaType;
  headers['content-length'] = String(Buffer.byteLength(content));
  return { status, headers, body: content, compression };
}
