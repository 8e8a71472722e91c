import { z } from 'zod';
import { CountValues } from '#application/observations/removal/count-values.js';
import { FindValues } from '#application/observations/removal/find-values.js';
import { RemoveValues } from '#application/observations/removal/remove-values.js';
import { RemoveStation } from '#application/stations/remove-station.js';
import { ListRemovedStations } from '#application/stations/list-removed-stations.js';
import { RestoreStation } from '#application/stations/restore-station.js';
import { DomainError } from '#domain/domain-error.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { documentedAs, utcTimestamp } from '../../core/schemas.js';
import { ELEVATED_ADMINISTRATOR } from '../access.js';
import type { ExternalContext } from '../external-context.js';
import { stationFields, toStationFields } from '../observations/weather-fields.js';
import { FROM, names, stationId, time, timeZone, TO } from '../observations/weather-query.js';

export function deleteStationEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const removeStation = useCase(RemoveStation);
  return jsonEndpoint({
    method: 'DELETE',
    path: '/v1/stations/{id}',
    summary: 'Remove a station',
    description:
      'Hides the station and its observations at once. The station can be restored for 30 days. Then the station and its ' +
      'observations are removed permanently.',
    access: ELEVATED_ADMINISTRATOR,
    params: stationId,
    success: { kind: 'json', status: 200, message: 'Removed.', schema: z.strictObject({}) },
    errors: ['STATION_UNKNOWN'],
    call: async ({ params: { id }, caller }) => {
      await removeStation.execute(id, caller);
      return {};
    },
  });
}

const LIST_REMOVED_STATIONS_REPLY = z.strictObject({
  stations: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      removed_at: utcTimestamp(),
      rows: z.int().nonnegative().describe('Number of rows, which are restored with the station'),
    }),
  ),
});

export function listRemovedStationsEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const listRemoved = useCase(ListRemovedStations);
  return jsonEndpoint({
    method: 'GET',
    path: '/v1/removed-stations',
    summary: 'List the removed stations that can be restored',
    access: ELEVATED_ADMINISTRATOR,
    success: {
      kind: 'json',
      status: 200,
      message: 'Removed stations, in the order of their ids.',
      schema: LIST_REMOVED_STATIONS_REPLY,
    },
    errors: [],
    call: async () => ({
      stations: (await listRemoved.execute()).map(({ station, removedAt, inventory }) => ({
        id: station.id,
        name: station.name,
        removed_at: new Date(removedAt).toISOString(),
        rows: inventory.count,
      })),
    }),
  });
}

const RESTORE_STATION_REPLY = z.strictObject({ station: stationFields });

export function restoreStationEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const restoreStation = useCase(RestoreStation);
  return jsonEndpoint({
    method: 'POST',
    path: '/v1/stations/{id}/restore',
    operationId: 'restoreStation',
    summary: 'Restore a removed station',
    description: 'Restores a station with its observations. A station that is not removed does not change.',
    access: ELEVATED_ADMINISTRATOR,
    params: stationId,
    success: {
      kind: 'json',
      status: 200,
      message: 'Restored.',
      schema: RESTORE_STATION_REPLY,
    },
    errors: ['STATION_UNKNOWN'],
    call: async ({ params: { id }, caller }) => ({
      station: toStationFields({ station: await restoreStation.execute(id, caller) }),
    }),
  });
}

/**
 * Largest number of rows that one request may remove. Removing more rows would take too long. The number of rows of a request is
 * estimated.
 */
const MAX_ROWS = 1_000_000;

const DELETE_OBSERVATIONS_QUERY = z.strictObject({
  from: time().describe(FROM),
  to: time().describe(TO),
  timezone: timeZone(),
  variables: names().optional().describe('Names, separated by commas. Default: all variables'),
  dry_run: documentedAs({ type: 'boolean' }, z.enum(['true', 'false']))
    .default('false')
    .describe('Counts the rows and removes nothing'),
});

const DELETE_OBSERVATIONS_REPLY = z.strictObject({
  rows: z.int().describe('Number of rows with a removed value'),
  values: z.int().describe('Number of removed values'),
});

export function deleteObservationsEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const findValues = useCase(FindValues);
  const countValues = useCase(CountValues);
  const removeValues = useCase(RemoveValues);
  return jsonEndpoint({
    method: 'DELETE',
    path: '/v1/stations/{id}/observations',
    summary: 'Remove values',
    description:
      'Removes the values from `from` (included) to `to` (not included) permanently. A row without values is removed too. With ' +
      `\`dry_run=true\` the values are only counted. One request can remove about ${MAX_ROWS.toLocaleString('en')} rows; ` +
      '`weatherd observations remove` has no limit.',
    access: ELEVATED_ADMINISTRATOR,
    params: stationId,
    query: DELETE_OBSERVATIONS_QUERY,
    success: {
      kind: 'json',
      status: 200,
      message: 'Removed, or counted.',
      schema: DELETE_OBSERVATIONS_REPLY,
    },
    errors: ['STATION_UNKNOWN', 'REQUEST_INVALID', 'DATA_DAMAGED'],
    call: async ({ params: { id }, query, caller }) => {
      const { from, to, timezone: zone, variables, dry_run: dryRun } = query;
      const request = { from, to, timeZone: zone, variables };
      const { ranges, expected } = await findValues.execute(id, request);
      if (expected > MAX_ROWS)
        throw new DomainError(
          'REQUEST_INVALID',
          `The request would remove about ${expected} rows. Remove them in parts of at most ${MAX_ROWS} rows.`,
        );
      if (dryRun === 'false') return await removeValues.execute(id, request, caller, {});
      const counts = await countValues.execute(ranges);
      return {
        rows: counts.reduce((sum, { rows }) => sum + rows, 0),
        values: counts.reduce((sum, { values }) => sum + values, 0),
      };
    },
  });
}
