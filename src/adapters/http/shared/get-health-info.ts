import { z } from 'zod';
import { GetHealth } from '#application/operation/get-health.js';
import type { ApiContext } from '../core/api-context.js';
import { type AnyEndpoint, jsonEndpoint } from '../core/endpoint.js';
import { humanDurationText } from '../core/schemas.js';

export function getHealthInfoEndpoint({ useCase }: ApiContext): AnyEndpoint {
  const getHealth = useCase(GetHealth);
  return jsonEndpoint({
    method: 'GET',
    path: '/v1/health/info',
    summary: 'How long the service has been running',
    access: 'public',
    ignoresQuery: true,
    success: {
      kind: 'json',
      status: 200,
      message: 'Health information.',
      // A number is its own JSON, and this text has no character that JSON escapes.
      stringify: ({ stats }) => `{"stats":{"uptime":${stats.uptime},"uptime_human":"${stats.uptime_human}"}}`,
      schema: z.strictObject({
        stats: z.strictObject({
          uptime: z.number().nonnegative().describe('Seconds since the service started'),
          uptime_human: humanDurationText().describe('The uptime as text; a month is 30 days'),
        }),
      }),
    },
    errors: [],
    call: () => {
      const { uptime, uptimeHuman } = getHealth.execute();
      return { stats: { uptime, uptime_human: uptimeHuman } };
    },
  });
}
