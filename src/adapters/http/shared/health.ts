import { z } from 'zod';
import { GetHealth } from '#application/operation/get-health.js';
import { GetLiveliness } from '#application/operation/get-liveliness.js';
import { ListChecks } from '#application/operation/list-checks.js';
import { CHECK_STATES } from '#application/operation/monitor-health.js';
import type { ApiContext } from '../core/api-context.js';
import { type AnyEndpoint, emptyEndpoint, jsonEndpoint } from '../core/endpoint.js';
import { humanDurationText, utcTimestamp } from '../core/schemas.js';

const GET_HEALTH_INFO_REPLY = z.strictObject({
  stats: z.strictObject({
    uptime: z.number().nonnegative().describe('Seconds since the service started'),
    uptime_human: humanDurationText().describe('Uptime as text. A month has 30 days'),
  }),
});

export function getHealthInfoEndpoint({ useCase }: ApiContext): AnyEndpoint {
  const getHealth = useCase(GetHealth);
  return jsonEndpoint({
    method: 'GET',
    path: '/v1/health/info',
    summary: 'Get the uptime of the service',
    access: 'public',
    ignoresQuery: true,
    success: {
      kind: 'json',
      status: 200,
      message: 'Health information.',
      // The number and the text need no escaping in JSON, so JSON.stringify is not needed.
      stringify: ({ stats }) => `{"stats":{"uptime":${stats.uptime},"uptime_human":"${stats.uptime_human}"}}`,
      schema: GET_HEALTH_INFO_REPLY,
    },
    errors: [],
    call: () => {
      const { uptime, uptimeHuman } = getHealth.execute();
      return { stats: { uptime, uptime_human: uptimeHuman } };
    },
  });
}

export function getLivelinessEndpoint({ useCase }: ApiContext): AnyEndpoint {
  const getLiveliness = useCase(GetLiveliness);
  return emptyEndpoint({
    method: 'GET',
    path: '/v1/health/liveliness',
    summary: 'Check whether everything works',
    description:
      'This route is for load balancers and supervisors. A request costs little, because the checks run in the background.',
    access: 'public',
    ignoresQuery: true,
    success: { kind: 'empty', status: 200, description: 'Everything works as expected.' },
    errors: ['SERVICE_UNAVAILABLE'],
    answersWhileClosing: true,
    call: () => getLiveliness.execute(),
  });
}

const LIST_CHECKS_REPLY = z.strictObject({
  checks: z.array(
    z.strictObject({
      name: z.string().describe('Name of the check'),
      state: z.enum(CHECK_STATES),
      since: utcTimestamp().describe('Start of this state'),
      detail: z.string().nullable().describe('Description of the defect; null if there is none'),
    }),
  ),
});

export function listChecksEndpoint({ useCase, checksAccess: access }: ApiContext): AnyEndpoint {
  const listChecks = useCase(ListChecks);
  return jsonEndpoint({
    method: 'GET',
    path: '/v1/health/checks',
    summary: 'List the latest results of the background checks',
    description:
      'With a `failed` check, liveliness returns 503. `degraded` means that the service works, but has a defect that an ' +
      'operator should examine.',
    access,
    success: {
      kind: 'json',
      status: 200,
      message: 'What each check found last.',
      schema: LIST_CHECKS_REPLY,
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
