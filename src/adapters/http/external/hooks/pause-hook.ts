import { z } from 'zod';
import { PauseHook } from '#application/hooks/manage/pause-hook.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { ELEVATED_ADMINISTRATOR } from '../access.js';
import type { ExternalContext } from '../external-context.js';
import { hookName } from './hook-fields.js';

export const pauseHookEndpoint = (context: ExternalContext): AnyEndpoint =>
  pausing(context, true, {
    path: '/v1/hooks/{name}/pause',
    operationId: 'pauseHook',
    summary: 'Pause a hook',
    description: 'Nothing is sent until it is resumed; the rows of this time are sent then.',
  });

export const resumeHookEndpoint = (context: ExternalContext): AnyEndpoint =>
  pausing(context, false, {
    path: '/v1/hooks/{name}/resume',
    operationId: 'resumeHook',
    summary: 'Resume a hook',
    description: 'Sends the rows since the pause, and all later ones.',
  });

function pausing(
  { useCase }: ExternalContext,
  paused: boolean,
  described: { path: string; operationId: string; summary: string; description: string },
): AnyEndpoint {
  const pauseHook = useCase(PauseHook);
  return jsonEndpoint({
    method: 'POST',
    ...described,
    access: ELEVATED_ADMINISTRATOR,
    params: hookName,
    success: { kind: 'json', status: 200, message: 'Done.', schema: z.strictObject({}) },
    errors: ['HOOK_UNKNOWN'],
    call: async ({ params: { name }, caller }) => {
      await pauseHook.execute(name, paused, caller);
      return {};
    },
  });
}
