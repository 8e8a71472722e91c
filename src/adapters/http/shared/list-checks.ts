import { z } from 'zod';
import { ListChecks } from '#application/operation/list-checks.js';
import { CHECK_STATES } from '#application/operation/monitor-health.js';
import type { ApiContext } from '../core/api-context.js';
import { type AnyEndpoint, jsonEndpoint } from '../core/endpoint.js';
import { utcTimestamp } from '../core/schemas.js';

export function listChecksEndpoint({ useCase, checksAccess: access }: ApiContext): AnyEndpoint {
  const listChecks = useCase(ListChecks);
  return jsonEndpoint({
    method: 'GET',
    path: '/v1/health/checks',
    summary: 'List the latest results of the background checks',
    description:
      'Only `failed` makes liveliness return 503. `degraded` means that the service works, but with a ' +
      'defect that an operator should examine.',
    access,
    success: {
      kind: 'json',
      status: 200,
      message: 'What each check found last.',
      schema: z.strictObject({
        checks: z.array(
          z.strictObject({
            name: z.string().describe('Name of the check'),
            state: z.enum(CHECK_STATES),
            since: utcTimestamp().describe('Start of this state'),
            detail: z.string().nullable().describe('Description of the defect; null if there is none'),
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
