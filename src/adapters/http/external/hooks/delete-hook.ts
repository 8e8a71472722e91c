import { z } from 'zod';
import { RemoveHook } from '#application/hooks/manage/remove-hook.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { ELEVATED_ADMINISTRATOR } from '../access.js';
import type { ExternalContext } from '../external-context.js';
import { hookName } from './hook-fields.js';

export function deleteHookEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const removeHook = useCase(RemoveHook);
  return jsonEndpoint({
    method: 'DELETE',
    path: '/v1/hooks/{name}',
    summary: 'Remove a hook',
    description: 'Rows that were not sent yet are not sent any more.',
    access: ELEVATED_ADMINISTRATOR,
    params: hookName,
    success: { kind: 'json', status: 200, message: 'Removed.', schema: z.strictObject({}) },
    errors: ['HOOK_UNKNOWN'],
    call: async ({ params: { name }, caller }) => {
      await removeHook.execute(name, caller);
      return {};
    },
  });
}
