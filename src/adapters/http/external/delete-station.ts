import { z } from 'zod';
import type { RemoveStation } from '../../../application/remove-station.js';
import { type AnyEndpoint, jsonEndpoint } from '../endpoint.js';
import { ELEVATED } from './access.js';
import { stationId } from './weather-query.js';

export function deleteStationEndpoint(removeStation: RemoveStation): AnyEndpoint {
  return jsonEndpoint({
    method: 'DELETE',
    path: '/v1/stations/{id}',
    summary: 'Remove a station',
    description: 'For good, with its observations.',
    access: ELEVATED,
    params: stationId,
    success: { kind: 'json', status: 200, message: 'Removed.', schema: z.strictObject({}) },
    errors: ['STATION_UNKNOWN'],
    call: async ({ params: { id }, caller }) => {
      await removeStation.execute(id, caller);
      return {};
    },
  });
}
