import { z } from 'zod';
import { GetUser } from '#application/accounts/users/get-user.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { ELEVATED_ADMINISTRATOR } from '../access.js';
import type { ExternalContext } from '../external-context.js';
import { toUserFields, userFields, userName } from './user-fields.js';

export function getUserEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const getUser = useCase(GetUser);
  return jsonEndpoint({
    method: 'GET',
    path: '/v1/users/{name}',
    summary: 'Show a user',
    access: ELEVATED_ADMINISTRATOR,
    isSecret: true,
    params: userName,
    success: {
      kind: 'json',
      status: 200,
      message: 'The user.',
      schema: z.strictObject({ user: userFields }),
    },
    errors: ['USER_UNKNOWN'],
    call: async ({ params }) => ({ user: toUserFields(await getUser.execute(params)) }),
  });
}
