import { z } from 'zod';
import { AddOverrule } from '#application/observations/overrules/add-overrule.js';
import { type AnyEndpoint, jsonEndpoint } from '#adapters/http/core/endpoint.js';
import { ELEVATED_ADMINISTRATOR } from '../../access.js';
import { unicodeText } from '../../accounts/password.js';
import type { ExternalContext } from '../../external-context.js';
import { FROM, stationId, time, TO } from '../../observations/weather-query.js';
import { overruleFields, toOverruleFields, verdictField } from './overrule-fields.js';

export function postOverruleEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const addOverrule = useCase(AddOverrule);
  return jsonEndpoint({
    method: 'POST',
    path: '/v1/stations/{id}/overrules',
    operationId: 'addOverrule',
    summary: 'Mark values as bad or as good',
    description:
      'Replaces the verdict of quality control on the values of a variable from `from` up to `to`, which is not included. The ' +
      'values stay as they are. Values that are written later are included. Removing the overrule undoes it.',
    access: ELEVATED_ADMINISTRATOR,
    params: stationId,
    body: {
      kind: 'json',
      schema: z.strictObject({
        variable: z.string(),
        from: time().describe(FROM),
        to: time().describe(TO),
        verdict: verdictField,
        reason: unicodeText(),
      }),
      example: {
        variable: 'relative_humidity',
        from: '2017-11-18T00:00:00Z',
        to: '2017-12-31T00:00:00Z',
        verdict: 'bad',
        reason: 'Sensor broken.',
      },
      limit: 8192,
    },
    success: {
      kind: 'json',
      status: 201,
      message: 'The values are marked.',
      schema: z.strictObject({ overrule: overruleFields }),
    },
    errors: ['STATION_UNKNOWN', 'REQUEST_INVALID', 'DATA_DAMAGED'],
    call: async ({ params: { id }, body, caller }) => ({
      overrule: toOverruleFields(await addOverrule.execute(id, body, caller)),
    }),
  });
}
