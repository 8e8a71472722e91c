import { z } from 'zod';
import { type StationsRequest, MANY_STATIONS } from '#application/observations/read/many/find-many.js';
import type { ManyCursor } from '#application/observations/read/many/read-many.js';
import type { StationSnapshot } from '#application/observations/read/describe-station.js';
import type { EndpointCall } from '#adapters/http/core/endpoint.js';
import type { Content, ContentBody } from '#adapters/http/core/reply/content.js';
import { cacheKeyOf, stationContent } from '../../stations/station-content.js';
import { documentedAs } from '#adapters/http/core/schemas.js';
import { MAX_IDS_LENGTH, names, placeFields } from '../weather-query.js';

/** Query parameters of the stations of a request. */
export const manyFields = {
  stations: names(MAX_IDS_LENGTH)
    .optional()
    .describe(
      `Ids, separated by commas; at most ${MANY_STATIONS}. In place of a search. Without either: all stations`,
    ),
  ...placeFields,
};

/** The stations that a request asks for. */
export function askedStations({
  query,
  audience,
}: Pick<
  EndpointCall<unknown, z.output<z.ZodObject<typeof manyFields>>, unknown>,
  'query' | 'audience'
>): StationsRequest {
  const { stations: ids, near, radius, bbox, q: text } = query;
  return { ids, near, radius, bbox, text, audience };
}

/**
 * The cacheable content of a reply about many stations. A station that a search finds later is not known in advance, so clients
 * always ask whether they have the present version.
 *
 * @param question everything that determines the reply, except the data
 */
export function manyContent(
  found: readonly StationSnapshot[],
  question: { readonly last?: unknown },
  body: () => Promise<ContentBody>,
  mediaType: string,
): Content {
  const version = found.map((station) => station.version).join('\n');
  const [{ asOf } = { asOf: 0 }] = found;
  return stationContent({ version }, cacheKeyOf(question, { asOf }), body, mediaType);
}

/** The start of a page of the rows of many stations. Opaque to clients. */
export const manyCursor = () =>
  documentedAs(
    { type: 'string' },
    z.string().regex(/^\d{1,10}(?:\.-?\d{1,16})?$/, 'Must be the `next` of a page'),
  )
    .transform((text): ManyCursor => {
      const [station, time] = text.split('.');
      return { station: Number(station), time: time === undefined ? null : Number(time) };
    })
    .optional()
    .describe('`next` of the previous page');

export function toManyCursor(next: ManyCursor | null): string | null {
  if (next === null) return null;
  return next.time === null ? String(next.station) : `${next.station}.${next.time}`;
}
