import { isStorable } from '#adapters/store/columns.js';
import type { CredentialStore, UserChanges } from '#application/ports/credential-store.js';
import { identityKey, type User } from '#domain/accounts/user.js';
import { DomainError } from '#domain/domain-error.js';
import { isUniqueViolation } from '../database/faults.js';
import type { PostgresDatabase } from '../database/postgres-database.js';
import { changeGrant, GRANT_COLUMN } from './grants.js';

const SELECT = `SELECT id, name, email, password_hash AS "passwordHash", enabled, administrator,
    created_at AS "createdAt", ${GRANT_COLUMN} FROM weatherd.user u`;

/** Users in PostgreSQL. */
export class PostgresCredentialStore implements CredentialStore {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async findByName(nameKey: string): Promise<User | undefined> {
    if (!isStorable(nameKey)) return undefined;
    const { rows } = await this.#database.query<User>(`${SELECT} WHERE name_key = $1`, [nameKey]);
    return rows[0];
  }

  async list(): Promise<readonly User[]> {
    // Sorted by code points, whatever the collation of the database.
    return (await this.#database.query<User>(`${SELECT} ORDER BY name_key COLLATE "C"`)).rows;
  }

  async add(user: User): Promise<void> {
    const { id, name, email, passwordHash, enabled, administrator, createdAt, stations } = user;
    const keys = [identityKey(name), emailKeyOf(email)];
    await this.#database.transaction(async (query) => {
      const { rowCount } = await query(
        `INSERT INTO weatherd.user
           (id, name, email, name_key, email_key, password_hash, enabled, administrator, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING`,
        [id, name, email, ...keys, passwordHash, enabled, administrator, createdAt],
      );
      if (rowCount === 0) throw taken();
      await changeGrant(query, id, { how: 'replace', stations });
    });
  }

  async change(id: string, changes: UserChanges): Promise<void> {
    const { email, passwordHash, enabled, administrator, stations } = changes;
    await this.#database.transaction(async (query) => {
      const { rowCount } = await query(
        `UPDATE weatherd.user SET
           email = CASE WHEN $2 THEN $3 ELSE email END,
           email_key = CASE WHEN $2 THEN $4 ELSE email_key END,
           password_hash = coalesce($5, password_hash),
           enabled = coalesce($6, enabled),
           administrator = coalesce($7, administrator)
         WHERE id = $1`,
        [
          id,
          email !== undefined,
          email ?? null,
          emailKeyOf(email),
          passwordHash ?? null,
          enabled ?? null,
          administrator ?? null,
        ],
      ).catch((error: unknown) => {
        throw isUniqueViolation(error) ? taken() : error;
      });
      if (rowCount === 0) throw unknown();
      if (stations !== undefined) await changeGrant(query, id, stations);
      // A separate statement, because it sees the sessions that were added while the first statement waited for the
      // lock of the row.
      if (enabled === false || passwordHash !== undefined) {
        await query('DELETE FROM weatherd.session WHERE user_id = $1', [id]);
      }
    });
  }

  async remove(id: string): Promise<void> {
    const { rowCount } = await this.#database.query('DELETE FROM weatherd.user WHERE id = $1', [id]);
    if (rowCount === 0) throw unknown();
  }

  async takeNewReaders(): Promise<number> {
    return (await this.#database.query('DELETE FROM weatherd.new_reader')).rowCount ?? 0;
  }
}

const emailKeyOf = (email: string | null | undefined) => (email == null ? null : identityKey(email));

function taken(): DomainError {
  return new DomainError('USER_EXISTS', 'A user with this name or email exists already.');
}

function unknown(): DomainError {
  return new DomainError('USER_UNKNOWN', 'There is no such user.');
}
