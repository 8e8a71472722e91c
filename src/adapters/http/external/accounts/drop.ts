import { z } from 'zod';
import { DropElevation } from '#application/accounts/sessions/drop-elevation.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { SIGNED_IN } from '../access.js';
import type { ExternalContext } from '../external-context.js';

export function dropEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const dropElevation = useCase(DropElevation);
  return jsonEndpoint({
    method: 'POST',
    path: '/v1/auth/drop/',
    operationId: 'dropElevation',
    summary: 'End an elevation',
    description:
      'Ends the elevation of the session before it expires. Send either of its tokens. It succeeds even if ' +
      'there is no elevation.',
    access: SIGNED_IN,
    isSecret: true,
    success: { kind: 'json', status: 200, message: 'Dropped.', schema: z.strictObject({}) },
    errors: [],
    call: async ({ principal, caller }) => {
      await dropElevation.execute(principal, caller);
      return {};
    },
  });
}
