import type { Database } from 'better-sqlite3';
import type { Elevation, LiveSession, Session } from '../../../domain/accounts/session.js';
import { GRANT_COLUMNS, type GrantRow, toGrant } from './grants.js';

interface SessionRow extends GrantRow {
  readonly id: string;
  readonly user_id: string;
  readonly created_at: number;
  readonly valid_to: number;
  readonly address: string | null;
  readonly elevated_token: string | null;
  readonly elevated_to: number | null;
  readonly user_name: string;
  readonly administrator: number;
}

function toSession(row: SessionRow): LiveSession {
  const { elevated_token: tokenId, elevated_to: validTo } = row;
  return {
    id: row.id,
    userId: row.user_id,
    createdAt: row.created_at,
    validTo: row.valid_to,
    address: row.address,
    elevation: tokenId === null || validTo === null ? null : { tokenId, validTo },
    userName: row.user_name,
    administrator: row.administrator === 1,
    stations: toGrant(row),
  };
}

/** The statements behind SqliteSessionStore; they run in the worker thread. */
export function sessionOperations(database: Database) {
  const select = `SELECT session.id, user_id, session.created_at, valid_to, address, elevated_token, elevated_to,
      user.name AS user_name, administrator, ${GRANT_COLUMNS}
    FROM session JOIN user ON user.id = user_id`;
  const insert = database.prepare(
    `INSERT INTO session (id, user_id, created_at, valid_to, address)
     SELECT ?, id, ?, ?, ? FROM user WHERE id = ? AND enabled = 1 AND password_hash = ?`,
  );
  const byId = database.prepare<[string], SessionRow>(`${select} WHERE session.id = ?`);
  const list = database.prepare<[number, string | null], SessionRow>(
    `${select} WHERE valid_to > ? AND user_id = coalesce(?, user_id) ORDER BY session.created_at DESC, session.id`,
  );
  const count = database
    .prepare<[string], number>(
      'UPDATE session SET elevation_attempts = elevation_attempts + 1 WHERE id = ? RETURNING elevation_attempts',
    )
    .pluck();
  const forget = database.prepare(
    'UPDATE session SET elevation_attempts = max(elevation_attempts - 1, 0) WHERE id = ?',
  );
  const elevate = database.prepare(
    'UPDATE session SET elevated_token = ?, elevated_to = ?, elevation_attempts = 0 WHERE id = ?',
  );
  const drop = database.prepare('UPDATE session SET elevated_token = NULL, elevated_to = NULL WHERE id = ?');
  const end = database.prepare('DELETE FROM session WHERE id = ?');
  const endAll = database.prepare('DELETE FROM session WHERE user_id = ?');
  const purge = database.prepare('DELETE FROM session WHERE valid_to < ?');

  return {
    addSession: ({ id, userId, createdAt, validTo, address }: Session, passwordHash: string) =>
      insert.run(id, createdAt, validTo, address, userId, passwordHash).changes === 1,
    session: (id: string) => {
      const row = byId.get(id);
      return row === undefined ? undefined : toSession(row);
    },
    sessions: (now: number, userId: string | null) => list.all(now, userId).map(toSession),
    countElevationAttempt: (id: string) => count.get(id) ?? 0,
    forgetElevationAttempt: (id: string) => void forget.run(id),
    elevateSession: (id: string, { tokenId, validTo }: Elevation) =>
      elevate.run(tokenId, validTo, id).changes === 1,
    dropElevation: (id: string) => void drop.run(id),
    endSession: (id: string) => end.run(id).changes === 1,
    endSessions: (userId: string) => endAll.run(userId).changes,
    purgeSessions: (now: number) => void purge.run(now),
  };
}
