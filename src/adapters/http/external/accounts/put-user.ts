import { z } from 'zod';
import { PutUser } from '#application/accounts/users/put-user.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { ELEVATED_ADMINISTRATOR } from '../access.js';
import type { ExternalContext } from '../external-context.js';
import { passwordText, unicodeText } from './password.js';
import { grantFields, toUserFields, userFields, userName } from './user-fields.js';

export function putUserEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const putUser = useCase(PutUser);
  return jsonEndpoint({
    method: 'PUT',
    path: '/v1/users/{name}',
    summary: 'Create or replace a user',
    description:
      'Replaces all fields of a user, or creates the user (201). Without `password` or `stations` the ' +
      'present ones stay; a new user needs a password and has no stations by default. A new password, and ' +
      'disabling, end all sessions of the user.',
    access: ELEVATED_ADMINISTRATOR,
    isSecret: true,
    params: userName,
    body: {
      kind: 'json',
      schema: z.strictObject({
        email: unicodeText().nullable(),
        password: passwordText().optional(),
        enabled: z.boolean(),
        administrator: z.boolean(),
        stations: grantFields.optional(),
      }),
      example: {
        email: 'grace@example.org',
        password: 'a password for grace',
        enabled: true,
        administrator: false,
        stations: ['JFK'],
      },
      limit: 16_384,
    },
    success: {
      kind: 'json',
      status: 200,
      message: 'The user is as described.',
      schema: z.strictObject({
        user: userFields,
        made: z.boolean().describe('Whether the user is new'),
      }),
      created: ({ made }) => made,
    },
    errors: ['REQUEST_INVALID', 'USER_EXISTS', 'STATION_UNKNOWN'],
    call: async ({ params, body, principal, caller }) => {
      const { made, ...user } = await putUser.execute({ ...params, ...body }, principal, caller);
      return { user: toUserFields(user), made };
    },
  });
}
