import { z } from 'zod';
import { TestHook } from '#application/hooks/manage/test-hook.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { ELEVATED_ADMINISTRATOR } from '../access.js';
import type { ExternalContext } from '../external-context.js';
import { hookName } from './hook-fields.js';

export function testHookEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const testHook = useCase(TestHook);
  return jsonEndpoint({
    method: 'POST',
    path: '/v1/hooks/{name}/test',
    operationId: 'testHook',
    summary: 'Test a hook',
    description:
      'Sends one message to the target and waits for it, at most 30 s: a message with the event `test`, or the newest ' +
      'row if the target is a weather service.',
    access: ELEVATED_ADMINISTRATOR,
    params: hookName,
    success: {
      kind: 'json',
      status: 200,
      message: 'Tried.',
      schema: z.strictObject({
        delivered: z.boolean(),
        reason: z.string().nullable().describe('Why it was not delivered'),
      }),
    },
    errors: ['REQUEST_INVALID', 'HOOK_UNKNOWN'],
    call: async ({ params: { name } }) => {
      const outcome = await testHook.execute(name);
      return outcome === 'delivered'
        ? { delivered: true, reason: null }
        : { delivered: false, reason: outcome.failed };
    },
  });
}
