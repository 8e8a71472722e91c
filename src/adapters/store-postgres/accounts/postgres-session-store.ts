import type { BegunElevation, SessionStore } from '#application/ports/session-store.js';
import type { AuditEvent } from '#domain/accounts/audit-event.js';
import type { Elevation, LiveSession } from '#domain/accounts/session.js';
import type { PostgresDatabase } from '../database/postgres-database.js';
import { APPEND_EVENTS, eventColumns } from './audit-rows.js';
import { GRANT_COLUMN } from './grants.js';

interface SessionRow extends Omit<LiveSession, 'elevation'> {
  readonly elevatedToken: string | null;
  readonly elevatedTo: number | null;
}

const SELECT = `SELECT session.id, user_id AS "userId", session.created_at AS "createdAt", valid_to AS "validTo",
    address, elevated_token AS "elevatedToken", elevated_to AS "elevatedTo", u.name AS "userName", administrator,
    ${GRANT_COLUMN}
  FROM weatherd.session JOIN weatherd.user u ON u.id = user_id`;

function toSession({ elevatedToken: tokenId, elevatedTo: validTo, ...row }: SessionRow): LiveSession {
  return { ...row, elevation: tokenId === null || validTo === null ? null : { tokenId, validTo } };
}

/** Sessions in PostgreSQL. */
export class PostgresSessionStore implements SessionStore {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async find(id: string): Promise<LiveSession | undefined> {
    const { rows } = await this.#database.query<SessionRow>(`${SELECT} WHERE session.id = $1`, [id]);
    return rows[0] && toSession(rows[0]);
  }

  findRecent(id: string): Promise<LiveSession | undefined> {
    return this.find(id);
  }

  async list(now: number, userId?: string): Promise<readonly LiveSession[]> {
    const { rows } = await this.#database.query<SessionRow>(
      `${SELECT} WHERE valid_to > $1::float8 AND user_id = coalesce($2, user_id)
       ORDER BY session.created_at DESC, session.id COLLATE "C"`,
      [now, userId ?? null],
    );
    return rows.map(toSession);
  }

  async beginElevation(id: string, limit: number): Promise<BegunElevation | undefined> {
    const { rows } = await this.#database.query<BegunElevation>(
      `WITH counted AS (
         UPDATE weatherd.session SET elevation_attempts = elevation_attempts + 1
         WHERE id = $1 AND elevation_attempts < $2::integer RETURNING elevation_attempts)
       SELECT coalesce((SELECT elevation_attempts FROM counted), $2 + 1) AS attempts, password_hash AS "passwordHash"
       FROM weatherd.session JOIN weatherd.user u ON u.id = user_id WHERE session.id = $1`,
      [id, limit],
    );
    return rows[0];
  }

  async takeBackElevation(id: string): Promise<void> {
    await this.#database.query(
      'UPDATE weatherd.session SET elevation_attempts = greatest(elevation_attempts - 1, 0) WHERE id = $1',
      [id],
    );
  }

  async elevate(id: string, { tokenId, validTo }: Elevation, event: AuditEvent): Promise<boolean> {
    const { rows } = await this.#database.query<{ elevated: boolean }>(
      `WITH elevated AS (
         UPDATE weatherd.session SET elevated_token = $11, elevated_to = $12, elevation_attempts = 0
         WHERE id = $10 RETURNING id),
       appended AS (${APPEND_EVENTS} WHERE EXISTS (SELECT FROM elevated))
       SELECT EXISTS (SELECT FROM elevated) AS elevated`,
      [...eventColumns([event]), id, tokenId, validTo],
    );
    return rows[0]?.elevated === true;
  }

  async drop(id: string): Promise<void> {
    await this.#database.query(
      'UPDATE weatherd.session SET elevated_token = NULL, elevated_to = NULL WHERE id = $1',
      [id],
    );
  }

  async end(id: string, events: readonly AuditEvent[] = []): Promise<boolean> {
    const { rows } = await this.#database.query<{ ended: boolean }>(
      `WITH ended AS (DELETE FROM weatherd.session WHERE id = $10 RETURNING id), appended AS (${APPEND_EVENTS})
       SELECT EXISTS (SELECT FROM ended) AS ended`,
      [...eventColumns(events), id],
    );
    return rows[0]?.ended === true;
  }

  async endAll(userId: string): Promise<number> {
    const { rowCount } = await this.#database.query('DELETE FROM weatherd.session WHERE user_id = $1', [
      userId,
    ]);
    return rowCount ?? 0;
  }

  async purge(now: number): Promise<void> {
    await this.#database.query('DELETE FROM weatherd.session WHERE valid_to < $1::float8', [now]);
  }
}
