import { z } from 'zod';
import { STATION_LIMITS } from '../../../application/find-stations.js';
import type { GetLatest } from '../../../application/get-latest.js';
import { VARIABLES } from '../../../domain/variables.js';
import { type AnyEndpoint, jsonEndpoint } from '../endpoint.js';
import type { ReadAccess } from './access.js';
import {
  latestFields,
  stationFields,
  toLatestFields,
  toStationFields,
  toUnitFields,
  unitFields,
} from './weather-fields.js';
import { offsetCursor, placeFields, stationId, units, wholeNumber } from './weather-query.js';

export function getLatestEndpoint(getLatest: GetLatest, access: ReadAccess): AnyEndpoint {
  return jsonEndpoint({
    method: 'GET',
    path: '/v1/stations/{id}/observations/latest',
    summary: 'Read the newest values of a station',
    description: 'Of each variable its newest value, with its own time. A silent station has none.',
    access,
    params: stationId,
    query: z.strictObject({ units: units() }),
    success: {
      kind: 'json',
      status: 200,
      message: 'Newest values.',
      schema: z.strictObject({
        station: z.string(),
        units: unitFields,
        last_seen: z.iso.datetime().nullable(),
        latest: latestFields,
      }),
    },
    errors: ['REQUEST_INVALID', 'STATION_UNKNOWN', 'SERVICE_UNAVAILABLE'],
    call: async ({ params: { id }, query }) => {
      const latest = await getLatest.execute(id);
      const variables = VARIABLES.filter(({ number }) => latest.values.has(number));
      return {
        station: latest.of.id,
        units: toUnitFields(variables, query.units),
        ...toLatestFields(latest, query.units),
      };
    },
  });
}

export function listLatestEndpoint(getLatest: GetLatest, access: ReadAccess): AnyEndpoint {
  return jsonEndpoint({
    method: 'GET',
    path: '/v1/observations/latest',
    summary: 'Read the newest values of many stations',
    description: 'What a map needs, in one request.',
    access,
    query: z.strictObject({
      ...placeFields,
      units: units(),
      limit: wholeNumber(1, STATION_LIMITS.max).default(STATION_LIMITS.usual).describe('Most stations'),
      cursor: offsetCursor().describe('`next` of the page before'),
    }),
    success: {
      kind: 'json',
      status: 200,
      message: 'Newest values.',
      schema: z.strictObject({
        units: unitFields,
        stations: z.array(
          z.strictObject({
            station: stationFields,
            last_seen: z.iso.datetime().nullable(),
            latest: latestFields,
          }),
        ),
        limit: z.int(),
        next: z.string().nullable().describe('Cursor of the next page'),
      }),
    },
    errors: ['REQUEST_INVALID', 'SERVICE_UNAVAILABLE'],
    call: async ({ query }) => {
      const { q: text, near, radius, bbox, limit, cursor } = query;
      const { stations, next } = await getLatest.ofMany({ near, radius, bbox, text }, cursor, limit);
      return {
        units: toUnitFields(VARIABLES, query.units),
        stations: stations.map((latest) => ({
          station: toStationFields({ station: latest.of, distance: latest.distance }),
          ...toLatestFields(latest, query.units),
        })),
        limit,
        next: next === null ? null : String(next),
      };
    },
  });
}
