import { z } from 'zod';
import { FindStations, STATION_LIMITS } from '#application/stations/find-stations.js';
import { type AnyEndpoint, contentEndpoint } from '../../core/endpoint.js';
import { GEOJSON_TYPE, collectionStart } from '#adapters/formats/geojson/feature-collection.js';
import { JSON_TYPE } from '../../core/reply/reply.js';
import { envelopeFields } from '../../core/schemas.js';
import type { ExternalContext } from '../external-context.js';
import { LINK_HEADER, nextPageLink } from '../observations/next-page.js';
import { stationFields, toStationFields } from '../observations/weather-fields.js';
import { offsetCursor, placeFields, replyFormat, wholeNumber } from '../observations/weather-query.js';
import { collectionFields, featureFields, toFeature } from './geojson-reply.js';
import { envelopeStart, etagOf } from './station-content.js';

const MESSAGE = 'Stations.';

const QUERY = z.strictObject({
  ...placeFields,
  limit: wholeNumber(1, STATION_LIMITS.max)
    .default(STATION_LIMITS.default)
    .describe('Largest number of stations'),
  cursor: offsetCursor(),
  format: replyFormat(['json', 'geojson']),
});

const REPLY = z.strictObject({
  ...envelopeFields(MESSAGE),
  stations: z.array(stationFields),
  limit: z.int(),
  next: z.string().nullable().describe('Cursor of the next page'),
});

export function listStationsEndpoint({ useCase, readAccess: access }: ExternalContext): AnyEndpoint {
  const findStations = useCase(FindStations);
  return contentEndpoint({
    method: 'GET',
    path: '/v1/stations',
    summary: 'Find stations',
    description: 'The stations are sorted by id, or by distance if `near` is given.',
    access,
    query: QUERY,
    success: {
      kind: 'content',
      status: 200,
      description: MESSAGE,
      headers: LINK_HEADER,
      mediaTypes: {
        [JSON_TYPE]: REPLY,
        [GEOJSON_TYPE]: collectionFields(featureFields),
      },
    },
    errors: ['REQUEST_INVALID', 'SERVICE_UNAVAILABLE'],
    call: async ({ query, search, audience }) => {
      const { q: text, near, radius, bbox, limit, cursor, format } = query;
      const mediaType = format === 'geojson' ? GEOJSON_TYPE : JSON_TYPE;
      const { stations, next } = await findStations.execute(
        { near, radius, bbox, text },
        cursor,
        limit,
        audience,
      );
      const after = { limit, next: next === null ? null : String(next) };
      const fields =
        format === 'geojson'
          ? {
              ...collectionStart(stations.map(({ station }) => station)),
              features: stations.map((found) => toFeature(found)),
              ...after,
            }
          : { ...envelopeStart(MESSAGE), stations: stations.map(toStationFields), ...after };
      // The ETag is a hash of the whole text of the reply, because the list of stations has no version. The list is short, so the
      // hash is computed fast.
      const content = JSON.stringify(fields);
      return {
        mediaType,
        etag: etagOf(content),
        cacheControl: 'no-cache',
        body: async () => ({ content, headers: nextPageLink(search, next) }),
      };
    },
  });
}
