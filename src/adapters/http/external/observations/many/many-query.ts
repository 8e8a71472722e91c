import { z } from 'zod';
import { type StationsRequest, MANY_STATIONS } from '#application/observations/read/many/find-many.js';
import type { ManyCursor } from '#application/observations/read/many/read-many.js';
import type { StationSnapshot } from '#application/observations/read/describe-station.js';
import type { EndpointCall } from '#adapters/http/core/endpoint.js';
import type { Content, ContentBody } from '#adapters/http/core/reply/content.js';
import { cacheKeyOf, stationContent } from '../../stations/station-content.js';
import { documentedAs } from '#adapters/http/core/schemas.js';
import { MAX_IDS_LENGTH, names, placeFields } from '../weather-query.js';

/** The query parameters that select the stations of a request. */
export const manyFields = {
  stations: names(MAX_IDS_LENGTH)
    .optional()
    .describe(
      `At most ${MANY_STATIONS} ids, separated by commas, instead of a search. Default: all stations`,
    ),
  ...placeFields,
};

/** The selection of stations of a request. */
export function stationSelection({
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
 * Content of a reply about many stations, with an ETag. Clients must revalidate the content each time, because the search may
 * find another station at any time.
 *
 * @param query all query parameters that determine the reply
 */
export function manyContent(
  stations: readonly StationSnapshot[],
  query: { readonly last?: unknown },
  body: () => Promise<ContentBody>,
  mediaType: string,
): Content {
  const version = stations.map((station) => station.version).join('\n');
  const [{ asOf } = { asOf: 0 }] = stations;
  return stationContent({ version }, cacheKeyOf(query, { asOf }), body, mediaType);
}

/** The cursor of a page with rows of many stations. It is opaque to clients. */
export const manyCursor = () =>
  documentedAs(
    { type: 'string' },
    z.string().regex(/^\d{1,10}(?:\.-?\d{1,16})?$/, 'Must be the value of `next` in a reply'),
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
