import { z } from 'zod';
import { GetLatest } from '../../../../application/observations/read/get-latest.js';
import { ListLatest } from '../../../../application/observations/read/list-latest.js';
import { STATION_LIMITS } from '../../../../application/stations/find-stations.js';
import { VARIABLES } from '../../../../domain/weather/variables.js';
import { type AnyEndpoint, contentEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { JSON_TYPE } from '../../core/reply/reply.js';
import { envelopeFields } from '../../core/schemas.js';
import type { ExternalContext } from '../external-context.js';
import { latestText, MESSAGE } from './latest-text.js';
import { pacedBody, readerOf } from './paced-body.js';
import { latestFields, stationFields, toLatestFields, toUnitFields, unitFields } from './weather-fields.js';
import { offsetCursor, placeFields, stationId, units, wholeNumber } from './weather-query.js';

export function getLatestEndpoint({ useCase, readAccess: access }: ExternalContext): AnyEndpoint {
  const getLatest = useCase(GetLatest);
  return jsonEndpoint({
    method: 'GET',
    path: '/v1/stations/{id}/observations/latest',
    summary: 'Read the newest values of a station',
    description:
      'The newest value of each variable, with its own time. There are no values if the station has never reported. Values ' +
      'that are older than damaged data are omitted.',
    access,
    params: stationId,
    query: z.strictObject({ units: units() }),
    success: {
      kind: 'json',
      status: 200,
      message: MESSAGE,
      schema: z.strictObject({
        station: z.string(),
        units: unitFields,
        last_seen: z.iso.datetime().nullable(),
        latest: latestFields,
      }),
    },
    errors: ['REQUEST_INVALID', 'STATION_UNKNOWN', 'DATA_DAMAGED', 'SERVICE_UNAVAILABLE'],
    call: async ({ params: { id }, query }) => {
      const latest = await getLatest.execute(id);
      const variables = VARIABLES.filter(({ number }) => latest.newest.values.has(number));
      return {
        station: latest.of.id,
        units: toUnitFields(variables, query.units),
        ...toLatestFields(latest, query.units),
      };
    },
  });
}

export function listLatestEndpoint({ useCase, readAccess: access }: ExternalContext): AnyEndpoint {
  const listLatest = useCase(ListLatest);
  return contentEndpoint({
    method: 'GET',
    path: '/v1/observations/latest',
    summary: 'Read the newest values of many stations',
    description:
      'One request returns the data for a map. Stations whose newest data are damaged are omitted; the request for a single ' +
      'station reports the damage.',
    access,
    query: z.strictObject({
      ...placeFields,
      units: units(),
      limit: wholeNumber(1, STATION_LIMITS.max)
        .default(STATION_LIMITS.usual)
        .describe('Largest number of stations'),
      cursor: offsetCursor().describe('`next` of the previous page'),
    }),
    success: {
      kind: 'content',
      status: 200,
      description: MESSAGE,
      mediaTypes: {
        [JSON_TYPE]: z.strictObject({
          ...envelopeFields(MESSAGE),
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
    },
    errors: ['REQUEST_INVALID', 'RATE_LIMITED', 'SERVICE_UNAVAILABLE'],
    // No ETag, because the ages in the reply change with the clock.
    call: (call) => ({
      mediaType: JSON_TYPE,
      body: async () => {
        const { q: text, near, radius, bbox, limit, cursor, units: system } = call.query;
        const filter = { near, radius, bbox, text };
        const page = await listLatest.execute(filter, cursor, limit, readerOf(call));
        return { content: pacedBody(latestText(page, limit, system), page.place) };
      },
    }),
  });
}
