import { z } from 'zod';
import type { ListUsers } from '../../../../application/accounts/users/list-users.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { ELEVATED_ADMINISTRATOR } from '../access.js';
import { toUserFields, userFields } from './user-fields.js';

export function listUsersEndpoint(listUsers: ListUsers): AnyEndpoint {
  return jsonEndpoint({
    method: 'GET',
    path: '/v1/users',
    summary: 'List the users',
    access: ELEVATED_ADMINISTRATOR,
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
