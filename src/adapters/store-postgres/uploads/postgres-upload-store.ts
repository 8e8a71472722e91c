import type { UploadKeyChanges, UploadRecord, UploadStore } from '#application/ports/upload-store.js';
import type { StoredUploadKey } from '#domain/uploads/upload-key.js';
import type { PostgresDatabase } from '../database/postgres-database.js';
import type { Parameter, Query } from '../database/query.js';
import { lockRecords, writeRecords } from './upload-records.js';

const COLUMNS = `number, station, note, weak, made_at AS "madeAt", rotated_at AS "rotatedAt",
  previous_until AS "previousUntil", digest, previous_digest AS "previousDigest", mappings, settings`;
/** The first statement of every transaction that changes keys. It serializes them, so that they cannot deadlock. */
const CHANGED = 'UPDATE weatherd.upload_version SET version = version + 1';
const RECORD = 'SELECT name, key, revision, time, text FROM weatherd.upload_record WHERE revision > 0';

/** The columns that can change, as $2 to $9. */
function changeable(key: Omit<StoredUploadKey, 'number'>): Parameter[] {
  return [
    key.note,
    key.weak,
    key.rotatedAt,
    key.previousUntil,
    key.digest,
    key.previousDigest,
    JSON.stringify(key.mappings),
    JSON.stringify(key.settings),
  ];
}

/** Upload keys and records in PostgreSQL. */
export class PostgresUploadStore implements UploadStore {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async version(): Promise<string> {
    const { rows } = await this.#database.query<{ version: number }>(
      'SELECT version FROM weatherd.upload_version',
    );
    return String(rows[0]?.version);
  }

  async keys(): Promise<readonly StoredUploadKey[]> {
    const { rows } = await this.#database.query<StoredUploadKey>(
      `SELECT ${COLUMNS} FROM weatherd.upload_key ORDER BY number`,
    );
    return rows;
  }

  async addKey(key: Omit<StoredUploadKey, 'number'>): Promise<number | undefined> {
    return await this.#changing(async (query) => {
      const { rows } = await query<{ number: number }>(
        `INSERT INTO weatherd.upload_key (station, note, weak, rotated_at, previous_until, digest, previous_digest,
           mappings, settings, made_at)
         SELECT $1::integer, $2::text, $3::boolean, $4::bigint, $5::bigint, $6::text, $7::text, $8::jsonb, $9::jsonb,
           $10::bigint
         WHERE EXISTS (SELECT FROM weatherd.any_station WHERE number = $1)
         ON CONFLICT (digest) DO NOTHING RETURNING number`,
        [key.station, ...changeable(key), key.madeAt],
      );
      return rows[0]?.number;
    });
  }

  async changeKey(number: number, changes: UploadKeyChanges): Promise<boolean> {
    return await this.#changing(async (query) => {
      const { rows } = await query<StoredUploadKey>(
        `SELECT ${COLUMNS} FROM weatherd.upload_key WHERE number = $1`,
        [number],
      );
      const [key] = rows;
      if (key === undefined) return false;
      await query(
        `UPDATE weatherd.upload_key SET note = $2, weak = $3, rotated_at = $4, previous_until = $5, digest = $6,
           previous_digest = $7, mappings = $8, settings = $9
         WHERE number = $1`,
        [number, ...changeable({ ...key, ...changes })],
      );
      return true;
    });
  }

  async removeKey(number: number): Promise<boolean> {
    return await this.#changing(async (query) => {
      const { rowCount } = await query('DELETE FROM weatherd.upload_key WHERE number = $1', [number]);
      return rowCount === 1;
    });
  }

  async records(prefix: string): Promise<readonly UploadRecord[]> {
    const { rows } = await this.#database.query<UploadRecord>(
      `${RECORD} AND starts_with(name, $1) ORDER BY name COLLATE "C"`,
      [prefix],
    );
    return rows;
  }

  async record(name: string): Promise<UploadRecord | undefined> {
    return (await this.#database.query<UploadRecord>(`${RECORD} AND name = $1`, [name])).rows[0];
  }

  presentRecord(name: string): Promise<UploadRecord | undefined> {
    return this.record(name);
  }

  async put(records: readonly UploadRecord[]): Promise<readonly string[]> {
    if (records.length === 0) return [];
    return await this.#database.transaction(async (query) => {
      const isOutdated = await lockRecords(
        query,
        records.map((record) => [record]),
      );
      await writeRecords(
        query,
        records.filter((_record, index) => isOutdated[index] === false),
      );
      return records.filter((_record, index) => isOutdated[index]).map(({ name }) => name);
    });
  }

  async purge(prefix: string, time: number): Promise<void> {
    await this.#database.query(
      'DELETE FROM weatherd.upload_record WHERE starts_with(name, $1) AND time < $2',
      [prefix, time],
    );
  }

  #changing<T>(change: (query: Query) => Promise<T>): Promise<T> {
    return this.#database.transaction(async (query) => {
      await query(CHANGED);
      return await change(query);
    });
  }
}
