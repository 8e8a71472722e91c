import { z } from 'zod';
import { ListVariables } from '#application/observations/read/list-variables.js';
import { unitsOf } from '#domain/weather/units.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import type { ExternalContext } from '../external-context.js';

const REPLY = z.strictObject({
  variables: z.array(
    z.strictObject({
      name: z.string(),
      number: z.int().positive().describe('Number of the variable in binary data'),
      unit: z.string(),
      units: z.array(z.string()).describe('Units that are accepted in requests'),
      aggregation: z.enum(['mean', 'sum', 'maximum', 'direction']),
      min: z.number(),
      max: z.number(),
      max_per_minute: z
        .boolean()
        .describe(
          'Whether `max` is the limit for one minute, and is multiplied by the minutes of the reporting interval',
        ),
    }),
  ),
});

export function listVariablesEndpoint({ useCase, readAccess: access }: ExternalContext): AnyEndpoint {
  const listVariables = useCase(ListVariables);
  return jsonEndpoint({
    method: 'GET',
    path: '/v1/variables',
    summary: 'List the variables',
    description:
      'The catalog of variables. Names are CF standard names. `min` and `max` are the limits of the gross error check.',
    access,
    success: {
      kind: 'json',
      status: 200,
      message: 'Variables.',
      schema: REPLY,
    },
    errors: [],
    call: () => ({
      variables: listVariables.execute().map((variable) => ({
        name: variable.name,
        number: variable.number,
        unit: variable.unit,
        units: [...unitsOf(variable)],
        aggregation: variable.aggregation,
        min: variable.limits.min,
        max: variable.limits.max,
        max_per_minute: variable.limits.perMinute === true,
      })),
    }),
  });
}
