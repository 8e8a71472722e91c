import type { BegunElevation, SessionStore } from '#application/ports/session-store.js';
import type { Elevation, LiveSession } from '#domain/accounts/session.js';
import { isTrue } from '../columns.js';
import { rowFrom, rowsFrom, send } from '../run-operation.js';
import { CODE_POINTS, double, greater, sql, type Statement, text } from '../sql.js';
import { type OperationsOf, present, read, transaction, write } from '../store-operations.js';
import { appendEvents } from './audit.js';
import { GRANT_COLUMNS, type GrantRow, toGrant } from './grants.js';

interface SessionRow extends Omit<LiveSession, 'elevation' | 'stations'>, GrantRow {
  readonly elevatedToken: string | null;
  readonly elevatedTo: number | null;
}

const SESSIONS = sql`SELECT session.id, user_id AS "userId", session.created_at AS "createdAt", valid_to AS "validTo",
    address, elevated_token AS "elevatedToken", elevated_to AS "elevatedTo", owner.name AS "userName", administrator,
    ${GRANT_COLUMNS}
  FROM weatherd.session JOIN weatherd.user AS owner ON owner.id = user_id`;

function toSession(row: SessionRow): LiveSession {
  const {
    elevatedToken: tokenId,
    elevatedTo: validTo,
    allStations,
    granted,
    administrator,
    ...session
  } = row;
  return {
    ...session,
    elevation: tokenId === null || validTo === null ? null : { tokenId, validTo },
    administrator: isTrue(administrator),
    stations: toGrant({ allStations, granted }),
  };
}

/** The FROM clause that joins a session and its user. */
export const joinedSession = (id: string): Statement =>
  sql`FROM weatherd.session JOIN weatherd.user AS owner ON owner.id = user_id WHERE session.id = ${id}`;
/** Counts an attempt to elevate a session: the user enters the password again to get a token that allows changes. */
export const countElevation = (id: string): Statement =>
  sql`UPDATE weatherd.session SET elevation_attempts = elevation_attempts + 1 WHERE id = ${id}`;
/**
 * Stores the id of the elevated token of a session, and the end of its validity. It replaces an earlier elevated token, because a
 * session has at most one.
 */
export const setElevation = (id: string, { tokenId, validTo }: Elevation): Statement =>
  sql`UPDATE weatherd.session SET elevated_token = ${tokenId}, elevated_to = ${validTo}, elevation_attempts = 0
    WHERE id = ${id}`;
export const removeSession = (id: string): Statement => sql`DELETE FROM weatherd.session WHERE id = ${id}`;
export const removeSessionsOf = (user: string): Statement =>
  sql`DELETE FROM weatherd.session WHERE user_id = ${user}`;

export const SESSION_OPERATIONS: OperationsOf<SessionStore> = {
  find: read(function* (id) {
    const row = yield* rowFrom<SessionRow>(sql`${SESSIONS} WHERE session.id = ${id}`);
    return row && toSession(row);
  }),

  list: present(function* (now, userId) {
    const found = yield* rowsFrom<SessionRow>(
      sql`${SESSIONS} WHERE valid_to > ${double(now)} AND user_id = coalesce(${text(userId ?? null)}, user_id)
          ORDER BY session.created_at DESC, session.id ${CODE_POINTS}`,
    );
    return found.map(toSession);
  }),

  beginElevation: transaction(function* (id, limit) {
    const begun = yield* rowFrom<BegunElevation>(
      sql`SELECT elevation_attempts + 1 AS attempts, password_hash AS "passwordHash" ${joinedSession(id)}`,
    );
    if (begun !== undefined && begun.attempts <= limit) yield* send(countElevation(id));
    return begun;
  }),

  uncountElevation: write(function* (id) {
    const lowered = greater('elevation_attempts - 1', '0');
    yield* send(sql`UPDATE weatherd.session SET elevation_attempts = ${lowered} WHERE id = ${id}`);
  }),

  elevate: transaction(function* (id, elevation, event) {
    const isElevated = (yield* send(setElevation(id, elevation))) > 0;
    if (isElevated) yield* appendEvents([event]);
    return isElevated;
  }),

  drop: write(function* (id) {
    yield* send(sql`UPDATE weatherd.session SET elevated_token = NULL, elevated_to = NULL WHERE id = ${id}`);
  }),

  end: transaction(function* (id, events = []) {
    yield* appendEvents(events);
    return (yield* send(removeSession(id))) > 0;
  }),

  endAll: write(function* (userId) {
    return yield* send(removeSessionsOf(userId));
  }),

  purge: write(function* (now) {
    yield* send(sql`DELETE FROM weatherd.session WHERE valid_to < ${double(now)}`);
  }),
};
