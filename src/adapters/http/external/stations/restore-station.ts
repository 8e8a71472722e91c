import { z } from 'zod';
import { RestoreStation } from '#application/stations/restore-station.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { ELEVATED_ADMINISTRATOR } from '../access.js';
import type { ExternalContext } from '../external-context.js';
import { stationFields, toStationFields } from '../observations/weather-fields.js';
import { stationId } from '../observations/weather-query.js';

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
      schema: z.strictObject({ station: stationFields }),
    },
    errors: ['STATION_UNKNOWN'],
    call: async ({ params: { id }, caller }) => ({
      station: toStationFields({ station: await restoreStation.execute(id, caller) }),
    }),
  });
}
