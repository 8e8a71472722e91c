import { z } from 'zod';
import { FollowObservations, MAX_WITH_RAIN } from '#application/observations/live/follow-observations.js';
import { variablesNamed } from '#application/observations/read/observation-query.js';
import { VARIABLES } from '#domain/weather/variables.js';
import { type AnyEndpoint, eventsEndpoint } from '../../core/endpoint.js';
import type { ExternalContext } from '../external-context.js';
import { EventEncoder } from './event-encoder.js';
import { included, INCLUDED_IN_EVENTS, includedParts } from './latest/recent-fields.js';
import { clientNetworkOf } from '../read-permits.js';
import { MAX_IDS_LENGTH, names, placeFields, units } from './weather-query.js';

const { near, radius, bbox } = placeFields;

const EXAMPLE =
  'retry: 3000\nid: 5f1c2a90b3d4-41\n\n' +
  'id: 5f1c2a90b3d4-42\nevent: observation\n' +
  'data: {"station":"JFK","from":"2026-11-22T12:00:00Z","to":"2026-11-22T12:00:00Z","revision":"7",' +
  '"last_seen":"2026-11-22T12:00:00Z","units":{"air_temperature":"°C"},' +
  '"latest":{"air_temperature":{"time":"2026-11-22T12:00:00Z","value":3.9,"verdict":"pass"}}}\n\n';

const QUERY = z.strictObject({
  stations: names(MAX_IDS_LENGTH).optional().describe('Ids, separated by commas'),
  near: near.describe('LATITUDE,LONGITUDE in degrees. It needs `radius`'),
  radius,
  bbox,
  variables: names().optional().describe('Names, separated by commas. Default: all variables of the station'),
  units: units(),
  include: included(INCLUDED_IN_EVENTS).describe(
    'Adds `today`, `trend`, `rain`, `derived` or `alarms` to each event, as in the newest values. Separate several by commas. A field is ' +
      'missing if its rows are damaged. With `alarms`, a station also has an event when one of its alarms is raised or cleared. ' +
      `\`rain\` needs \`stations\` with at most ${MAX_WITH_RAIN} ids`,
  ),
  last_event_id: z
    .string()
    .max(64)
    .optional()
    .describe(
      'Id of the last received event. The header `Last-Event-ID` has the same meaning and takes precedence',
    ),
});

export function getEventsEndpoint({ useCase, readAccess: access, feelsLike }: ExternalContext): AnyEndpoint {
  const followObservations = useCase(FollowObservations);
  return eventsEndpoint({
    method: 'GET',
    path: '/v1/events',
    summary: 'Follow changes of observations',
    description:
      'An endless stream of server-sent events. Each change of a station gives an event `observation` with its newest values. Without ' +
      '`stations`, `near` or `bbox` the stream has the changes of all stations. The event `reset` means that changes may be missing, and ' +
      'that the client must read the data again. The event `forecast` has the `station` and the time of issue (`issued`) of a new forecast.',
    access,
    query: QUERY,
    success: {
      kind: 'events',
      status: 200,
      description: 'The stream of events.',
      example: EXAMPLE,
    },
    errors: ['REQUEST_INVALID', 'STATION_UNKNOWN', 'RATE_LIMITED', 'SERVICE_UNAVAILABLE'],
    call: async (call) => {
      const { stations, variables, units: system, include, last_event_id: idInQuery, ...place } = call.query;
      const named = variables === undefined ? VARIABLES : variablesNamed(variables);
      const stream = await followObservations.execute({
        stations,
        place,
        included: includedParts(include),
        encoder: new EventEncoder(named, system, feelsLike, include),
        network: clientNetworkOf(call),
        needsToken: call.audience === 'users',
        audience: call.audience,
      });
      return { open: (sink, lastEventId) => stream.open(sink, lastEventId ?? idInQuery) };
    },
  });
}
