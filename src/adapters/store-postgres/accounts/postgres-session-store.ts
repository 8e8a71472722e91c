import type { SessionStore } from '../../../application/ports/session-store.js';
import type { Elevation, LiveSession, Session } from '../../../domain/accounts/session.js';
import type { PostgresDatabase } from '../database/postgres-database.js';
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

  async add(session: Session, passwordHash: string): Promise<boolean> {
    const { id, userId, createdAt, validTo, address } = session;
    // FOR SHARE: a concurrent change of the user commits before or after this statement, never during it.
    const { rowCount } = await this.#database.query(
      `INSERT INTO weatherd.session (id, user_id, created_at, valid_to, address)
       SELECT $1, id, $2, $3, $4 FROM weatherd.user
       WHERE id = $5 AND enabled AND password_hash = $6 FOR SHARE`,
      [id, createdAt, validTo, address, userId, passwordHash],
    );
    return rowCount === 1;
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

  async countElevationAttempt(id: string): Promise<number> {
    const { rows } = await this.#database.query<{ attempts: number }>(
      `UPDATE weatherd.session SET elevation_attempts = elevation_attempts + 1 WHERE id = $1
       RETURNING elevation_attempts AS attempts`,
      [id],
    );
    return rows[0]?.attempts ?? 0;
  }

  async forgetElevationAttempt(id: string): Promise<void> {
    await this.#database.query(
      'UPDATE weatherd.session SET elevation_attempts = greatest(elevation_attempts - 1, 0) WHERE id = $1',
      [id],
    );
  }

  async elevate(id: string, { tokenId, validTo }: Elevation): Promise<boolean> {
    const { rowCount } = await this.#database.query(
      `UPDATE weatherd.session SET elevated_token = $2, elevated_to = $3, elevation_attempts = 0
       WHERE id = $1`,
      [id, tokenId, validTo],
    );
    return rowCount === 1;
  }

  async drop(id: string): Promise<void> {
    await this.#database.query(
      'UPDATE weatherd.session SET elevated_token = NULL, elevated_to = NULL WHERE id = $1',
      [id],
    );
  }

  async end(id: string): Promise<boolean> {
    const { rowCount } = await this.#database.query('DELETE FROM weatherd.session WHERE id = $1', [id]);
    return rowCount === 1;
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
