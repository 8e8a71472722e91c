import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Content, ContentBody } from '../endpoint.js';
import { emptyReply, type Reply, streamReply } from './reply.js';

/** A content and its body, or null where the client has it. */
export interface Represented {
  readonly content: Content;
  readonly body: ContentBody | null;
}

/** Makes the body, unless the client holds the same version already (If-None-Match, RFC 9110, section 13.1.2). */
export async function represent(message: IncomingMessage, content: Content): Promise<Represented> {
  const { etag } = content;
  const has = etag !== undefined && holds(message.headers['if-none-match'], etag);
  return { content, body: has ? null : await content.body() };
}

/** @param cachable adds to `Cache-Control` who may keep the reply */
export function contentReply(
  status: number,
  { content: { mediaType, etag, cacheControl }, body }: Represented,
  headers: Record<string, string>,
  cachable: (control: string) => string,
): Reply {
  if (etag !== undefined) headers['etag'] = `"${etag}"`;
  if (cacheControl !== undefined) headers['cache-control'] = cachable(cacheControl);
  if (body === null) return emptyReply(304, headers);
  Object.assign(headers, body.headers);
  if (body.content instanceof Readable) return streamReply(status, mediaType, body.content, headers);
  headers['content-type'] = mediaType;
  headers['content-length'] = String(Buffer.byteLength(body.content));
  return { status, headers, body: body.content };
}

/** Weak comparison, as the section asks for. */
function holds(condition: string | undefined, etag: string): boolean {
  if (condition === undefined) return false;
  return (
    condition.trim() === '*' ||
    condition.split(',').some((held) => held.trim().replace(/^W\//, '') === `"${etag}"`)
  );
}
