import { z } from 'zod';
import { changedInMeantime } from '#domain/domain-error.js';
import { DeleteUser } from '#application/accounts/users/delete-user.js';
import { GetUser } from '#application/accounts/users/get-user.js';
import { ListUsers } from '#application/accounts/users/list-users.js';
import { PutUser } from '#application/accounts/users/put-user.js';
import type { PublicUser } from '#domain/accounts/user.js';
import { type AnyEndpoint, contentEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { utcTimestamp } from '../../core/schemas.js';
import { ELEVATED_ADMINISTRATOR } from '../access.js';
import type { ExternalContext } from '../external-context.js';
import { expectedText, versionedContent, versionedSuccess } from '../versions.js';
import { passwordText, unicodeText } from './password.js';

export const grantFields = z
  .union([z.array(z.string()), z.literal('*')])
  .describe('Ids of the stations whose observations the user may write; `*` for all stations');

const userFields = z
  .strictObject({
    name: z.string(),
    email: z.string().nullable(),
    enabled: z.boolean().describe('Whether the user may sign in'),
    administrator: z.boolean().describe('Whether elevated tokens of the user may change everything'),
    stations: grantFields,
    created_at: utcTimestamp(),
  })
  .meta({ id: 'User' });

function toUserFields(user: PublicUser): z.infer<typeof userFields> {
  const { name, email, enabled, administrator, stations, createdAt } = user;
  const granted = stations === '*' ? stations : [...stations];
  return {
    name,
    email,
    enabled,
    administrator,
    stations: granted,
    created_at: new Date(createdAt).toISOString(),
  };
}

/** The path parameter of routes for one user. */
export const userName = z.strictObject({
  name: z.string().max(128).describe('User name. Upper and lower case are the same'),
});

const LIST_USERS_REPLY = z.strictObject({ users: z.array(userFields) });

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
      schema: LIST_USERS_REPLY,
    },
    errors: [],
    call: async () => ({ users: (await listUsers.execute()).map(toUserFields) }),
  });
}

const THE_USER = 'The user.';

const GET_USER_SUCCESS = versionedSuccess(THE_USER, z.strictObject({ user: userFields }));

export function getUserEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const getUser = useCase(GetUser);
  return contentEndpoint({
    method: 'GET',
    path: '/v1/users/{name}',
    summary: 'Show a user',
    description: 'A request that replaces the user can send the ETag in If-Match.',
    access: ELEVATED_ADMINISTRATOR,
    isSecret: true,
    params: userName,
    success: GET_USER_SUCCESS,
    errors: ['USER_UNKNOWN'],
    call: async ({ params }) => {
      // The text is read first: if the user changes in between, the ETag is older than the fields, and If-Match fails.
      const text = await getUser.text(params);
      return versionedContent(THE_USER, text, { user: toUserFields(await getUser.execute(params)) });
    },
  });
}

const PUT_USER_BODY = z.strictObject({
  email: unicodeText().nullable(),
  password: passwordText().optional(),
  enabled: z.boolean(),
  administrator: z.boolean(),
  stations: grantFields.optional(),
});

const PUT_USER_REPLY = z.strictObject({
  user: userFields,
  made: z.boolean().describe('Whether the user is new'),
});

export function putUserEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const putUser = useCase(PutUser);
  const getUser = useCase(GetUser);
  return jsonEndpoint({
    method: 'PUT',
    path: '/v1/users/{name}',
    summary: 'Create or replace a user',
    description:
      'Replaces all fields of a user, or creates the user (201). Without `password` or `stations`, the current ones are kept. ' +
      'A new user needs a password and has no stations by default. A new password ends all sessions of the user, and so does ' +
      'disabling the user. If-Match needs the ETag of `GET /v1/users/{name}`.',
    access: ELEVATED_ADMINISTRATOR,
    conditional: true,
    isSecret: true,
    params: userName,
    body: {
      kind: 'json',
      schema: PUT_USER_BODY,
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
      schema: PUT_USER_REPLY,
      created: ({ made }) => made,
    },
    errors: ['REQUEST_INVALID', 'USER_EXISTS', 'STATION_UNKNOWN'],
    call: async ({ params, body, principal, caller, conditions }) => {
      const changed = () => changedInMeantime('user', params.name);
      const current = () => getUser.text(params);
      const expected = await expectedText(conditions, current, 'USER_UNKNOWN', changed);
      const { made, ...user } = await putUser.execute({ ...params, ...body }, principal, caller, expected);
      return { user: toUserFields(user), made };
    },
  });
}

export function deleteUserEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const deleteUser = useCase(DeleteUser);
  return jsonEndpoint({
    method: 'DELETE',
    path: '/v1/users/{name}',
    summary: 'Remove a user',
    description: 'Removes the user permanently and ends all sessions of the user.',
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
