import { z } from 'zod';
import { EndSessions, unknownSession } from '#application/accounts/sessions/end-sessions.js';
import { ListSessions } from '#application/accounts/sessions/list-sessions.js';
import { DomainError } from '#domain/domain-error.js';
import { MILLISECONDS } from '#domain/time.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { utcTimestamp } from '../../core/schemas.js';
import { ELEVATED, ELEVATED_ADMINISTRATOR } from '../access.js';
import type { ExternalContext } from '../external-context.js';
import { userName } from './users.js';

/** Largest number of sessions in a reply. */
const MAX_SESSIONS = 1000;

const sessionFields = z
  .strictObject({
    id: z.string(),
    user: z.string().describe('Name of the user'),
    address: z.string().nullable().describe('Address of the client that signed in; null if unknown'),
    created_at: utcTimestamp().describe('Time of the sign-in'),
    valid_to: utcTimestamp(),
    elevated_to: utcTimestamp().nullable().describe('End of the elevation; null if there is none'),
    current: z.boolean().describe('Whether this is the session of the request'),
  })
  .meta({ id: 'Session' });

const LIST_SESSIONS_QUERY = z.strictObject({
  user: userName.shape.name.optional().describe('Only the sessions of the user with this name'),
});

const LIST_SESSIONS_REPLY = z.strictObject({ sessions: z.array(sessionFields) });

export function listSessionsEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const listSessions = useCase(ListSessions);
  return jsonEndpoint({
    method: 'GET',
    path: '/v1/sessions',
    summary: 'List the sessions',
    description:
      'The valid sessions, newest first. An administrator sees the sessions of all users, and another user sees the own sessions. ' +
      `The reply has the newest ${MAX_SESSIONS} sessions.`,
    access: ELEVATED,
    isSecret: true,
    query: LIST_SESSIONS_QUERY,
    success: {
      kind: 'json',
      status: 200,
      message: 'Sessions, newest first.',
      schema: LIST_SESSIONS_REPLY,
    },
    errors: ['USER_UNKNOWN'],
    call: async ({ query: { user = null }, principal }) => {
      const { administrator, userName: own } = principal;
      if (!administrator && user !== null && user !== own)
        throw new DomainError('AUTH_NOT_ALLOWED', 'Only an administrator sees the sessions of other users.');
      const sessions = await listSessions.execute({ user: administrator ? user : own });
      return {
        sessions: sessions.slice(0, MAX_SESSIONS).map(({ elevation, ...session }) => ({
          id: session.id,
          user: session.userName,
          address: session.address,
          created_at: new Date(session.createdAt).toISOString(),
          valid_to: toIso(session.validTo),
          elevated_to: elevation === null ? null : toIso(elevation.validTo),
          current: session.id === principal.sessionId,
        })),
      };
    },
  });
}

const toIso = (seconds: number) => new Date(seconds * MILLISECONDS.second).toISOString();

const END_SESSION_PARAMS = z.strictObject({ id: z.string().max(64).describe('Id of the session') });

export function endSessionEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const endSessions = useCase(EndSessions);
  const listSessions = useCase(ListSessions);
  return jsonEndpoint({
    method: 'DELETE',
    path: '/v1/sessions/{id}',
    operationId: 'endSession',
    summary: 'End a session',
    description:
      'All tokens of the session become invalid. Other instances of the service refuse them within five seconds. A user who is no ' +
      'administrator can end the own sessions only.',
    access: ELEVATED,
    params: END_SESSION_PARAMS,
    success: { kind: 'json', status: 200, message: 'Ended.', schema: z.strictObject({}) },
    errors: ['SESSION_UNKNOWN'],
    call: async ({ params: { id }, caller, principal: { administrator, userName: own } }) => {
      const isOwn = async () =>
        (await listSessions.execute({ user: own })).some((session) => session.id === id);
      if (!administrator && !(await isOwn())) throw unknownSession(id);
      await endSessions.execute({ session: id }, caller);
      return {};
    },
  });
}

const END_SESSIONS_OF_USER_REPLY = z.strictObject({
  sessions: z.int().nonnegative().describe('Number of sessions that have ended'),
});

export function endSessionsOfUserEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const endSessions = useCase(EndSessions);
  return jsonEndpoint({
    method: 'DELETE',
    path: '/v1/users/{name}/sessions',
    operationId: 'endSessionsOfUser',
    summary: 'End all sessions of a user',
    description: 'The user must sign in again everywhere.',
    access: ELEVATED_ADMINISTRATOR,
    params: userName,
    success: {
      kind: 'json',
      status: 200,
      message: 'Ended.',
      schema: END_SESSIONS_OF_USER_REPLY,
    },
    errors: ['USER_UNKNOWN'],
    call: async ({ params: { name }, caller }) => ({
      sessions: await endSessions.execute({ user: name }, caller),
    }),
  });
}
