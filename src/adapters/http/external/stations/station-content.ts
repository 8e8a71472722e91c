import { hash } from 'node:crypto';
import type { StationSnapshot } from '#application/observations/read/describe-station.js';
import { COMPUTATION_RULES } from '#domain/weather/computation/computation-rules.js';
import type { Content, ContentBody } from '../../core/reply/content.js';
import { JSON_TYPE } from '../../core/reply/reply.js';

/** The values of the first fields of every JSON reply. */
export function envelopeStart(message: string) {
  return { success: true, code: 200, message };
}

/**
 * Content of a reply about one station. The ETag changes with the data of the station. Caches must revalidate the content each
 * time, because values may be corrected at any time. A client that has received the event of a correction must not read the old
 * values.
 *
 * @param cacheKey everything that determines the reply, except the data
 */
export function stationContent(
  { version }: Pick<StationSnapshot, 'version'>,
  cacheKey: unknown,
  body: () => Promise<ContentBody>,
  mediaType: string = JSON_TYPE,
): Content {
  return { mediaType, etag: etagOf([version, mediaType, cacheKey]), cacheControl: 'no-cache', body };
}

/**
 * The ETag of a reply.
 *
 * @param parts everything that determines the reply, except the version of the computation rules, which this function adds
 */
export function etagOf(parts: unknown): string {
  return hash('sha256', JSON.stringify([COMPUTATION_RULES, parts]), 'base64url').slice(0, 27);
}

/**
 * Returns the query as a cache key. If the query has `last` (a duration that ends now), the key also contains the end of the time
 * range, because this end is the current time.
 */
export function cacheKeyOf(
  query: { readonly last?: unknown },
  { asOf }: Pick<StationSnapshot, 'asOf'>,
): unknown {
  return query.last === undefined ? query : { ...query, asOf };
}
