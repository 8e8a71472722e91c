import { z } from 'zod';
import { ListUsers } from '#application/accounts/users/list-users.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { ELEVATED_ADMINISTRATOR } from '../access.js';
import type { ExternalContext } from '../external-context.js';
import { toUserFields, userFields } from './user-fields.js';

export function listUsersEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const listUsers = useCase(ListUsers);
  return jsonEndpoint({
    method: 'GET',
    path: '/v1/users',
    summary: 'List the users',
    access: ELEVATED_ADMINISTRATOR,
    isSecret: true,
    success: {
      kind: 'json',
      status: 200,
      message: 'Users in the order of their names.',
      schema: z.strictObject({ users: z.array(userFields) }),
    },
    errors: [],
    call: async () => ({ users: (await listUsers.execute()).map(toUserFields) }),
  });
}
