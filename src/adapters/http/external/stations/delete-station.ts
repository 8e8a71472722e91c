import { z } from 'zod';
import { RemoveStation } from '#application/stations/remove-station.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { ELEVATED_ADMINISTRATOR } from '../access.js';
import type { ExternalContext } from '../external-context.js';
import { stationId } from '../observations/weather-query.js';

export function deleteStationEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const removeStation = useCase(RemoveStation);
  return jsonEndpoint({
    method: 'DELETE',
    path: '/v1/stations/{id}',
    summary: 'Remove a station',
    description:
      'Hides the station and its observations at once. It can be restored for 30 days; then both are ' +
      'removed permanently.',
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
