import { z } from 'zod';
import { DeleteUser } from '#application/accounts/users/delete-user.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { ELEVATED_ADMINISTRATOR } from '../access.js';
import type { ExternalContext } from '../external-context.js';
import { userName } from './user-fields.js';

export function deleteUserEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const deleteUser = useCase(DeleteUser);
  return jsonEndpoint({
    method: 'DELETE',
    path: '/v1/users/{name}',
    summary: 'Remove a user',
    description: 'Permanently, with all sessions of the user.',
    access: ELEVATED_ADMINISTRATOR,
    params: userName,
    success: { kind: 'json', status: 200, message: 'Removed.', schema: z.strictObject({}) },
    errors: ['USER_UNKNOWN', 'AUTH_NOT_ALLOWED'],
    call: async ({ params, principal, caller }) => {
      await deleteUser.execute(params, principal, caller);
      return {};
    },
  });
}
