import { createHash } from 'node:crypto';
import type { DescribedStation } from '../../../../application/observations/read/describe-station.js';
import type { Content, ContentBody } from '../../core/endpoint.js';
import { JSON_TYPE } from '../../core/reply/reply.js';

/** The first fields of every JSON reply. */
export function envelopeStart(message: string) {
  return { success: true, code: 200, message };
}

/**
 * The cacheable content of a reply about one station. Its ETag changes with the data of the station. A client need not ask
 * again before the next report of the station is due.
 *
 * @param question everything that determines the reply, except the data
 */
export function stationContent(
  { version, freshFor }: DescribedStation,
  question: unknown,
  body: () => Promise<ContentBody>,
  mediaType: string = JSON_TYPE,
): Content {
  const etag = createHash('sha256')
    .update(JSON.stringify([version, mediaType, question]))
    .digest('base64url');
  const cacheControl = freshFor > 0 ? `max-age=${freshFor}` : 'no-cache';
  return { mediaType, etag: etag.slice(0, 27), cacheControl, body };
}
