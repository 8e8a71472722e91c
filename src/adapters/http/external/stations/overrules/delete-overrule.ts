import { z } from 'zod';
import { RemoveOverrule } from '#application/observations/overrules/remove-overrule.js';
import { type AnyEndpoint, jsonEndpoint } from '#adapters/http/core/endpoint.js';
import { ELEVATED_ADMINISTRATOR } from '../../access.js';
import type { ExternalContext } from '../../external-context.js';
import { stationId } from '../../observations/weather-query.js';

export function deleteOverruleEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const removeOverrule = useCase(RemoveOverrule);
  return jsonEndpoint({
    method: 'DELETE',
    path: '/v1/stations/{id}/overrules/{overrule}',
    summary: 'Remove an overrule',
    description: 'The verdicts are those of quality control again.',
    access: ELEVATED_ADMINISTRATOR,
    params: stationId.extend({ overrule: z.string().max(64).describe('Id of the overrule') }),
    success: { kind: 'json', status: 200, message: 'Removed.', schema: z.strictObject({}) },
    errors: ['STATION_UNKNOWN', 'OVERRULE_UNKNOWN'],
    call: async ({ params: { id, overrule }, caller }) => {
      await removeOverrule.execute(id, overrule, caller);
      return {};
    },
  });
}
