import { z } from 'zod';
import { FindStations, STATION_LIMITS } from '../../../../application/stations/find-stations.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import type { ExternalContext } from '../external-context.js';
import { stationFields, toStationFields } from '../observations/weather-fields.js';
import { offsetCursor, placeFields, wholeNumber } from '../observations/weather-query.js';

export function listStationsEndpoint({ useCase, readAccess: access }: ExternalContext): AnyEndpoint {
  const findStations = useCase(FindStations);
  return jsonEndpoint({
    method: 'GET',
    path: '/v1/stations',
    summary: 'Find stations',
    description: 'Sorted by id, or by distance if `near` is given.',
    access,
    query: z.strictObject({
      ...placeFields,
      limit: wholeNumber(1, STATION_LIMITS.max).default(STATION_LIMITS.usual),
      cursor: offsetCursor().describe('`next` of the previous page'),
    }),
    success: {
      kind: 'json',
      status: 200,
      message: 'Stations.',
      schema: z.strictObject({
        stations: z.array(stationFields),
        limit: z.int(),
        next: z.string().nullable().describe('Cursor of the next page'),
      }),
    },
    errors: ['REQUEST_INVALID', 'SERVICE_UNAVAILABLE'],
    call: async ({ query }) => {
      const { q: text, near, radius, bbox, limit, cursor } = query;
      const { stations, next } = await findStations.execute({ near, radius, bbox, text }, cursor, limit);
      return { stations: stations.map(toStationFields), limit, next: next === null ? null : String(next) };
    },
  });
}
