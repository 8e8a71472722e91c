import { z } from 'zod';
import { ListChecks } from '../../../application/operation/list-checks.js';
import { CHECK_STATES } from '../../../application/operation/monitor-health.js';
import type { ApiContext } from '../core/api-context.js';
import { type AnyEndpoint, jsonEndpoint } from '../core/endpoint.js';
import { utcTimestamp } from '../core/schemas.js';

export function listChecksEndpoint({ useCase, checksAccess: access }: ApiContext): AnyEndpoint {
  const listChecks = useCase(ListChecks);
  return jsonEndpoint({
    method: 'GET',
    path: '/v1/health/checks',
    summary: 'What each background check found last',
    description:
      'Only `failed` makes liveliness answer 503. `degraded` means that the service works with a defect that an ' +
      'operator should look at.',
    access,
    success: {
      kind: 'json',
      status: 200,
      message: 'What each check found last.',
      schema: z.strictObject({
        checks: z.array(
          z.strictObject({
            name: z.string().describe('What was checked'),
            state: z.enum(CHECK_STATES),
            since: utcTimestamp().describe('When this state began'),
            detail: z.string().nullable().describe('What is wrong; null when nothing is'),
          }),
        ),
      }),
    },
    errors: [],
    call: () => ({
      checks: listChecks.execute().map(({ name, state, since, detail }) => ({
        name,
        state,
        since: new Date(since).toISOString(),
        detail,
      })),
    }),
  });
}
