import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Content, ContentBody } from './content.js';
import { ProtocolError } from '../errors.js';
import { arePreconditionsMet, clientHasVersion } from '../request/conditions.js';
import { acceptedCoding } from './accept-encoding.js';
import { codedTag, isCompressible } from './compression.js';
import { emptyReply, type Reply, streamReply, varyBy } from './reply.js';

/** The content for a reply, with the body that has been built for it. */
export interface Represented {
  readonly content: Content;
  /** The ETag of the uncompressed content, or of the version that the client has. */
  readonly etag: string | undefined;
  /** Null if the client already has this version. */
  readonly body: ContentBody | null;
}

/**
 * Builds the body, unless the client already has this version (If-None-Match, RFC 9110, section 13.1.2).
 *
 * @throws ProtocolError PRECONDITION_FAILED if the content accepts ranges and the client wants another version (If-Match)
 */
export async function represent(
  message: IncomingMessage,
  content: Content,
  isSecret: boolean,
): Promise<Represented> {
  const { headers } = message;
  const { etag } = content;
  if (
    content.acceptsRanges === true &&
    !arePreconditionsMet({ ifMatch: headers['if-match'], ifNoneMatch: undefined }, etag)
  ) {
    content.release?.();
    throw new ProtocolError(
      'PRECONDITION_FAILED',
      `The file has another version now. Its ETag is "${etag}".`,
    );
  }
  const isCodable = !isSecret && mayBeCompressed(content);
  const known = etag === undefined ? undefined : knownVersion(message, etag, isCodable);
  if (known === undefined)
    return { content, etag, body: await content.body(rangeFor(message, content, etag)) };
  content.release?.();
  return { content, etag: known, body: null };
}

/** The header `Range`, if it applies: only to GET (RFC 9110, section 14.2), and only to the version of `If-Range` (section 13.1.5). */
function rangeFor({ method, headers }: IncomingMessage, content: Content, etag: string | undefined) {
  if (content.acceptsRanges !== true || method !== 'GET') return undefined;
  const condition = headers['if-range'];
  return condition === undefined || condition === `"${etag}"` ? headers.range : undefined;
}

/**
 * Returns the ETag of the version that the client already has (If-None-Match); undefined if it has none. Each coding, such as gzip,
 * has its own ETag. A body that is too short is not compressed, and its length is not known before it is built. So both ETags
 * count: the one of the coding that the client prefers, and the one without a coding.
 *
 * @param isCodable whether the reply may be compressed
 */
export function knownVersion(
  { headers }: IncomingMessage,
  etag: string,
  isCodable: boolean,
): string | undefined {
  const condition = headers['if-none-match'];
  if (condition === undefined) return undefined;
  const { coding, isRequired } = acceptedCoding(headers['accept-encoding']);
  const coded = isCodable && coding !== undefined ? [codedTag(etag, coding)] : [];
  return [...coded, ...(isRequired && isCodable ? [] : [etag])].find((tag) =>
    clientHasVersion(condition, tag),
  );
}

function mayBeCompressed({ mediaType, isUncoded }: Content): boolean {
  return isUncoded !== true && isCompressible(mediaType);
}

export function contentReply(
  status: number,
  { content: represented, etag, body }: Represented,
  common: Record<string, string>,
): Reply {
  const { mediaType, vary } = represented;
  const headers: Record<string, string> = mayBeCompressed(represented)
    ? { ...varyBy(common, 'Accept-Encoding') }
    : common;
  if (vary !== undefined) Object.assign(headers, varyBy(headers, vary));
  if (etag !== undefined) headers['etag'] = `${represented.isWeak === true ? 'W/' : ''}"${etag}"`;
  if (represented.acceptsRanges === true) headers['accept-ranges'] = 'bytes';
  if (body === null) return emptyReply(304, headers);
  Object.assign(headers, body.headers);
  const { content } = body;
  const sentStatus = body.status ?? status;
  const compression = represented.isUncoded === true ? 'none' : body.compression;
  if (content instanceof Readable)
    return { ...streamReply(sentStatus, mediaType, content, headers), compression };
  headers['content-type'] = mediaType;
  headers['content-length'] = String(Buffer.byteLength(content));
  return { status: sentStatus, headers, body: content, compression };
}
