import { z } from 'zod';
import { ListOverrules } from '#application/observations/overrules/list-overrules.js';
import { type AnyEndpoint, jsonEndpoint } from '#adapters/http/core/endpoint.js';
import { ELEVATED_ADMINISTRATOR } from '../../access.js';
import type { ExternalContext } from '../../external-context.js';
import { stationId } from '../../observations/weather-query.js';
import { overruleFields, toOverruleFields } from './overrule-fields.js';

export function listOverrulesEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const listOverrules = useCase(ListOverrules);
  return jsonEndpoint({
    method: 'GET',
    path: '/v1/stations/{id}/overrules',
    summary: 'List the overrules of a station',
    description: 'In the order in which they were made. Where several apply to a value, the last one counts.',
    access: ELEVATED_ADMINISTRATOR,
    params: stationId,
    success: {
      kind: 'json',
      status: 200,
      message: 'Overrules.',
      schema: z.strictObject({ overrules: z.array(overruleFields) }),
    },
    errors: ['STATION_UNKNOWN'],
    call: async ({ params: { id } }) => ({
      overrules: (await listOverrules.execute(id)).map(toOverruleFields),
    }),
  });
}
