import { z } from 'zod';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import type { StationChange } from '#application/ports/station-store.js';
import { PutStations } from '#application/stations/put-stations.js';
import { isDomainError } from '#domain/domain-error.js';
import { changedMeanwhile, stationText } from '#domain/weather/station-edit.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { type Preconditions, arePreconditionsMet } from '../../core/request/conditions.js';
import { ELEVATED_ADMINISTRATOR } from '../access.js';
import { unicodeText } from '../accounts/password.js';
import type { ExternalContext } from '../external-context.js';
import { stationFields, toStationFields } from '../observations/weather-fields.js';
import { stationId, time } from '../observations/weather-query.js';
import { settingsEtag } from './station-content.js';
import { fromSettingFields, settingFields } from './station-settings.js';

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
      schema: z.strictObject({
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
            'Time from which position, elevation, reporting interval and heights of the request are valid. Earlier and later periods stay in ' +
              'the history. Without `since`, the current period of the history is corrected',
          ),
      }),
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
      schema: z.strictObject({ station: stationFields, made: z.boolean() }),
      created: ({ made }) => made,
    },
    errors: ['REQUEST_INVALID', 'STATION_EXISTS', 'STATION_REMOVED'],
    call: async ({ params: { id }, body, caller, conditions }) => {
      const { time_zone: timeZone, reporting_interval: reportingInterval, ...settings } = body;
      const { name, latitude, longitude, elevation, identifiers, limits, since } = settings;
      const place = { name, latitude, longitude, elevation, timeZone };
      const draft = { id, ...place, identifiers, reportingInterval, limits, ...fromSettingFields(settings) };
      const expected = await expectedState(conditions, id, describeStation);
      const [change] = await putStations.execute([draft], caller, since, expected);
      const { station, isNew } = change as StationChange;
      return { station: toStationFields({ station }), made: isNew };
    },
  });
}

/**
 * The state of the station that a conditional request expects, for `StationEdit.expected`. The store compares the state again in
 * the transaction of the change, so that only one of two requests with the same ETag succeeds.
 *
 * @returns undefined for a request without conditions; null if the station must not exist
 * @throws DomainError PRECONDITION_FAILED if a condition is not met
 */
async function expectedState(
  conditions: Preconditions,
  id: string,
  describeStation: DescribeStation,
): Promise<string | null | undefined> {
  if (conditions.ifMatch === undefined && conditions.ifNoneMatch === undefined) return undefined;
  const describing = { audience: 'users', allowsDamage: true } as const;
  const described = await describeStation.execute(id, undefined, describing).catch((error: unknown) => {
    if (isDomainError(error, 'STATION_UNKNOWN')) return undefined;
    throw error;
  });
  const station = described?.station;
  if (!arePreconditionsMet(conditions, station && settingsEtag(station))) throw changedMeanwhile(id);
  return station === undefined ? null : stationText(station);
}
