import type { Database } from 'better-sqlite3';
import type { BegunElevation } from '#application/ports/session-store.js';
import type { AuditEvent } from '#domain/accounts/audit-event.js';
import type { Elevation, LiveSession } from '#domain/accounts/session.js';
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

const SELECT = `SELECT session.id, user_id, session.created_at, valid_to, address, elevated_token, elevated_to,
    user.name AS user_name, administrator, ${GRANT_COLUMNS}
  FROM session JOIN user ON user.id = user_id`;

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

/** The reads of SqliteSessionStore. They run in a reading thread and never wait for a write. */
export function sessionReads(database: Database) {
  const byId = database.prepare<[string], SessionRow>(`${SELECT} WHERE session.id = ?`);
  return {
    session: (id: string): LiveSession | undefined => {
      const row = byId.get(id);
      return row && toSession(row);
    },
  };
}

type AppendEvents = (events: readonly AuditEvent[]) => void;

/**
 * The statements behind SqliteSessionStore; they run in the worker thread.
 *
 * @param appendEvents of the audit trail
 */
export function sessionOperations(database: Database, appendEvents: AppendEvents) {
  const list = database.prepare<[number, string | null], SessionRow>(
    `${SELECT} WHERE valid_to > ? AND user_id = coalesce(?, user_id) ORDER BY session.created_at DESC, session.id`,
  );
  const begin = database.prepare<[string], BegunElevation>(
    `SELECT elevation_attempts + 1 AS attempts, password_hash AS passwordHash
     FROM session JOIN user ON user.id = user_id WHERE session.id = ?`,
  );
  const count = database.prepare<[number, string]>('UPDATE session SET elevation_attempts = ? WHERE id = ?');
  const takeBack = database.prepare(
    'UPDATE session SET elevation_attempts = max(elevation_attempts - 1, 0) WHERE id = ?',
  );
  const elevate = database.prepare(
    'UPDATE session SET elevated_token = ?, elevated_to = ?, elevation_attempts = 0 WHERE id = ?',
  );
  const drop = database.prepare('UPDATE session SET elevated_token = NULL, elevated_to = NULL WHERE id = ?');
  const end = database.prepare('DELETE FROM session WHERE id = ?');
  const endAll = database.prepare('DELETE FROM session WHERE user_id = ?');
  const purge = database.prepare('DELETE FROM session WHERE valid_to < ?');

  const beginElevation = database.transaction((id: string, limit: number) => {
    const begun = begin.get(id);
    if (begun !== undefined && begun.attempts <= limit) count.run(begun.attempts, id);
    return begun;
  });
  const elevateSession = database.transaction(
    (id: string, { tokenId, validTo }: Elevation, event: AuditEvent): boolean => {
      const elevated = elevate.run(tokenId, validTo, id).changes === 1;
      if (elevated) appendEvents([event]);
      return elevated;
    },
  );
  const endSession = database.transaction((id: string, events: readonly AuditEvent[]): boolean => {
    if (events.length > 0) appendEvents(events);
    return end.run(id).changes === 1;
  });

  return {
    sessions: (now: number, userId: string | null) => list.all(now, userId).map(toSession),
    // Immediate, because another process may write between reading and writing.
    beginElevation: (id: string, limit: number) => beginElevation.immediate(id, limit),
    takeBackElevation: (id: string) => void takeBack.run(id),
    elevateSession: (id: string, elevation: Elevation, event: AuditEvent) =>
      elevateSession.immediate(id, elevation, event),
    dropElevation: (id: string) => void drop.run(id),
    endSession: (id: string, events: readonly AuditEvent[]) => endSession.immediate(id, events),
    endSessions: (userId: string) => endAll.run(userId).changes,
    purgeSessions: (now: number) => void purge.run(now),
  };
}
