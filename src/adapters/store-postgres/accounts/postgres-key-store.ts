import type { KeyStore, StoredKey } from '#application/ports/key-store.js';
import { DomainError } from '#domain/domain-error.js';
import type { PostgresDatabase } from '../database/postgres-database.js';
import type { Parameter } from '../database/query.js';

/** Stores signing keys in PostgreSQL, for all instances that share the database. */
export class PostgresKeyStore implements KeyStore {
  readonly damaged = [];
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  list(): Promise<readonly StoredKey[]> {
    return this.#query(
      `SELECT id, created_at AS "createdAt", signs_from AS "signsFrom", verifies_until AS "verifiesUntil",
         retired_at AS "retiredAt", private_key AS "privateKey"
       FROM weatherd.signing_key`,
    );
  }

  async add({ id, createdAt, signsFrom, verifiesUntil, retiredAt, privateKey }: StoredKey): Promise<void> {
    await this.#query(
      `INSERT INTO weatherd.signing_key (id, created_at, signs_from, verifies_until, retired_at, private_key)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [id, createdAt, signsFrom, verifiesUntil, retiredAt, privateKey],
    );
  }

  async setVerifiesUntil(id: string, time: number): Promise<void> {
    await this.#query('UPDATE weatherd.signing_key SET verifies_until = $2 WHERE id = $1', [id, time]);
  }

  async retire(id: string, time: number): Promise<void> {
    await this.#query('UPDATE weatherd.signing_key SET retired_at = $2, private_key = NULL WHERE id = $1', [
      id,
      time,
    ]);
  }

  async #query(text: string, values: readonly Parameter[] = []): Promise<readonly StoredKey[]> {
    try {
      return (await this.#database.query<StoredKey>(text, values)).rows;
    } catch (cause) {
      throw new DomainError('SIGNING_KEY_UNAVAILABLE', 'There is no usable signing key.', { cause });
    }
  }
}
