import { z } from 'zod';
import { ListHooks } from '#application/hooks/manage/list-hooks.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { ELEVATED_ADMINISTRATOR } from '../access.js';
import type { ExternalContext } from '../external-context.js';
import { hookFields, toHookFields } from './hook-fields.js';

export function listHooksEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const listHooks = useCase(ListHooks);
  return jsonEndpoint({
    method: 'GET',
    path: '/v1/hooks',
    summary: 'List the hooks',
    description: 'By name, without secrets, with what became of their messages.',
    access: ELEVATED_ADMINISTRATOR,
    isSecret: true,
    success: {
      kind: 'json',
      status: 200,
      message: 'Hooks.',
      schema: z.strictObject({ hooks: z.array(hookFields) }),
    },
    errors: [],
    call: async () => ({ hooks: (await listHooks.execute()).map(toHookFields) }),
  });
}
