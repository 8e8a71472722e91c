import { z } from 'zod';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import type { StationChange } from '#application/ports/station-store.js';
import { PutStations } from '#application/stations/put-stations.js';
import { changedMeanwhile, stationText } from '#domain/weather/station-edit.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { ELEVATED_ADMINISTRATOR } from '../access.js';
import { unicodeText } from '../accounts/password.js';
import type { ExternalContext } from '../external-context.js';
import { stationFields, toStationFields } from '../observations/weather-fields.js';
import { stationId, time } from '../observations/weather-query.js';
import { expectedText } from '../versions.js';
import { fromSettingFields, settingFields } from './station-settings.js';

const BODY = z.strictObject({
  name: unicodeText(),
  latitude: z.number(),
  longitude: z.number(),
  elevation: z.number().nullable().default(null),
  time_zone: z.string().max(64),
  identifiers: z.record(z.string(), unicodeText()).default({}),
  reporting_interval: z.int().nullable().default(null),
  ...settingFields,
  since: time()
    .optional()
    .describe(
      'Time from which position, elevation, reporting interval, heights and time of observation of the request are valid. Earlier and later periods stay in ' +
        'the history. Without `since`, the current period of the history is corrected',
    ),
});

const REPLY = z.strictObject({ station: stationFields, made: z.boolean() });

export function putStationEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const putStations = useCase(PutStations);
  const describeStation = useCase(DescribeStation);
  return jsonEndpoint({
    method: 'PUT',
    path: '/v1/stations/{id}',
    summary: 'Create or replace a station',
    description:
      'Replaces all fields of a station, or creates the station (201). Its observations and its history do not change. If-Match needs ' +
      'the ETag that `GET /v1/stations/{id}?inventory=false` gives the same user.',
    access: ELEVATED_ADMINISTRATOR,
    conditional: true,
    params: stationId,
    body: {
      kind: 'json',
      schema: BODY,
      example: {
        name: 'Central Park',
        latitude: 40.7789,
        longitude: -73.9692,
        elevation: 47.5,
        time_zone: 'America/New_York',
        identifiers: { icao: 'KNYC' },
        reporting_interval: 3600,
      },
      limit: 16_384,
    },
    success: {
      kind: 'json',
      status: 200,
      message: 'The station is as described.',
      schema: REPLY,
      created: ({ made }) => made,
    },
    errors: ['REQUEST_INVALID', 'STATION_EXISTS', 'STATION_REMOVED'],
    call: async ({ params: { id }, body, caller, conditions }) => {
      const { time_zone: timeZone, reporting_interval: reportingInterval, ...settings } = body;
      const { name, latitude, longitude, elevation, identifiers, limits, since } = settings;
      const place = { name, latitude, longitude, elevation, timeZone };
      const draft = { id, ...place, identifiers, reportingInterval, limits, ...fromSettingFields(settings) };
      const describing = { audience: 'users', allowsDamage: true } as const;
      const current = async () =>
        stationText((await describeStation.execute(id, undefined, describing)).station);
      const changed = () => changedMeanwhile(id);
      const expected = await expectedText(conditions, current, 'STATION_UNKNOWN', changed);
      const [change] = await putStations.execute([draft], caller, since, expected);
      const { station, isNew } = change as StationChange;
      return { station: toStationFields({ station }), made: isNew };
    },
  });
}
