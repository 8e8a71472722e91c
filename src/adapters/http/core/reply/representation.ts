import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Content, ContentBody } from './content.js';
import { clientHasVersion } from '../request/conditions.js';
import { acceptedCoding } from './accept-encoding.js';
import { isCompressible } from './compression.js';
import { emptyReply, type Reply, streamReply, varyBy } from './reply.js';

/** The content for a reply, with the body that has been built for it. */
export interface Represented {
  readonly content: Content;
  /** The ETag of the content in the coding that the client accepts. */
  readonly etag: string | undefined;
  /** Null if the client already has this version. */
  readonly body: ContentBody | null;
}

/** Builds the body, unless the client already has this version (If-None-Match, RFC 9110, section 13.1.2). */
export async function represent(
  message: IncomingMessage,
  content: Content,
  isSecret: boolean,
): Promise<Represented> {
  const etag = isSecret ? content.etag : etagFor(message, content);
  const isKnown = etag !== undefined && clientHasVersion(message.headers['if-none-match'], etag);
  if (isKnown) content.release?.();
  return { content, etag, body: isKnown ? null : await content.body() };
}

/**
 * Returns the ETag of the content for this client. Each coding, such as gzip, has its own ETag (RFC 9110, section 8.8.3.3). The
 * coding is the one that the client prefers, even if the body turns out to be too short to be compressed. The length of the body
 * is not known here, because a 304 is sent without building the body.
 */
function etagFor({ headers }: IncomingMessage, content: Content): string | undefined {
  const { etag } = content;
  const { coding } = acceptedCoding(headers['accept-encoding']);
  return etag === undefined || coding === undefined || !mayBeCompressed(content) ? etag : `${etag}-${coding}`;
}

function mayBeCompressed({ mediaType, isUncoded }: Content): boolean {
  return isUncoded !== true && isCompressible(mediaType);
}

export function contentReply(
  status: number,
  { content: represented, etag, body }: Represented,
  common: Record<string, string>,
): Reply {
  const { mediaType } = represented;
  const headers: Record<string, string> = mayBeCompressed(represented)
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
