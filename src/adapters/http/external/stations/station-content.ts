import { hash } from 'node:crypto';
import type { StationSnapshot } from '#application/observations/read/describe-station.js';
import { COMPUTATION_RULES } from '#domain/weather/computation/computation-rules.js';
import { stationText } from '#domain/weather/station-edit.js';
import type { Station } from '#domain/weather/station.js';
import type { Content, ContentBody } from '../../core/reply/content.js';
import { JSON_TYPE } from '../../core/reply/reply.js';

/** The first fields of every JSON reply. */
export function envelopeStart(message: string) {
  return { success: true, code: 200, message };
}

/**
 * The cacheable content of a reply about one station. Its ETag changes with the data of the station. Caches must ask each time
 * whether it is current: values may be corrected at any time, and an event says so at once.
 *
 * @param question everything that determines the reply, except the data
 */
export function stationContent(
  { version }: Pick<StationSnapshot, 'version'>,
  question: unknown,
  body: () => Promise<ContentBody>,
  mediaType: string = JSON_TYPE,
): Content {
  return { mediaType, etag: etagOf([version, mediaType, question]), cacheControl: 'no-cache', body };
}

/** The ETag of everything that determines a reply, the rules of computation among it. */
export function etagOf(parts: unknown): string {
  return hash('sha256', JSON.stringify([COMPUTATION_RULES, parts]), 'base64url').slice(0, 27);
}

/** The ETag of the settings of a station, which `PUT /v1/stations/{id}` compares with If-Match. */
export function settingsEtag(station: Station): string {
  return etagOf(['settings', stationText(station)]);
}

/** Everything in a query that determines the reply: with `last`, also the time up to which it reaches. */
export function cacheKeyOf(
  query: { readonly last?: unknown },
  { asOf }: Pick<StationSnapshot, 'asOf'>,
): unknown {
  return query.last === undefined ? query : { ...query, asOf };
}
