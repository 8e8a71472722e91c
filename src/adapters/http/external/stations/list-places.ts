import { z } from 'zod';
import { FindTowns, TOWN_LIMITS } from '#application/stations/find-towns.js';
import { MILLISECONDS } from '#domain/time.js';
import { type AnyEndpoint, contentEndpoint } from '../../core/endpoint.js';
import { JSON_TYPE } from '../../core/reply/reply.js';
import { envelopeFields } from '../../core/schemas.js';
import type { ExternalContext } from '../external-context.js';
import { placeFields, wholeNumber } from '../observations/weather-query.js';
import { envelopeStart, etagOf } from './station-content.js';

const MESSAGE = 'Places.';
/** Lifetime in caches, in seconds. The towns change only with a new version of the service. */
const LIFETIME = MILLISECONDS.day / 1000;

const QUERY = z.strictObject({
  bbox: placeFields.bbox.unwrap().describe(placeFields.bbox.description ?? ''),
  limit: wholeNumber(1, TOWN_LIMITS.max).default(TOWN_LIMITS.default).describe('Largest number of towns'),
});

const REPLY = z.strictObject({
  ...envelopeFields(MESSAGE),
  places: z.array(
    z.strictObject({
      name: z.string(),
      latitude: z.number().min(-90).max(90),
      longitude: z.number().min(-180).max(180),
      population: z.int().positive(),
      country: z.string().describe('ISO 3166 code of two letters'),
    }),
  ),
});

export function listPlacesEndpoint({ useCase, readAccess: access }: ExternalContext): AnyEndpoint {
  const findTowns = useCase(FindTowns);
  return contentEndpoint({
    method: 'GET',
    path: '/v1/places',
    summary: 'Find towns',
    description:
      'The towns in a box that have more than 5,000 people, the largest first. The data are from GeoNames (https://www.geonames.org/), licensed under CC BY 4.0.',
    access,
    query: QUERY,
    success: {
      kind: 'content',
      status: 200,
      description: MESSAGE,
      mediaTypes: {
        [JSON_TYPE]: REPLY,
      },
    },
    errors: ['REQUEST_INVALID'],
    call: async ({ query: { bbox, limit } }) => {
      const places = await findTowns.execute(bbox, limit);
      const content = JSON.stringify({ ...envelopeStart(MESSAGE), places });
      return {
        mediaType: JSON_TYPE,
        etag: etagOf(content),
        cacheControl: `max-age=${LIFETIME}`,
        body: async () => ({ content }),
      };
    },
  });
}
