import type { LastNumbers, TransferStore } from '#application/ports/transfer-store.js';
import {
  columnOf,
  type FieldForm,
  formOf,
  NUMBERED_KINDS,
  type RecordKind,
  type TransferRecord,
} from '#application/record-forms.js';
import { SCHEMA } from '../database/migrations.js';
import type { PostgresDatabase } from '../database/postgres-database.js';
import type { Parameter, Query } from '../database/query.js';

const tableOf = (kind: RecordKind) => `${SCHEMA}.${formOf(kind).table}`;
const quoted = (name: string) => `"${name}"`;

/** Hands over the records of a PostgreSQL database. */
export class PostgresTransferStore implements TransferStore {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async read(kind: RecordKind, after?: TransferRecord): Promise<readonly TransferRecord[]> {
    const { key, fields, page } = formOf(kind);
    const columns = Object.keys(fields).map((field) => `${quoted(columnOf(field))} AS ${quoted(field)}`);
    const keys = Object.entries(key);
    const order = keys.map(([field, type]) => ordered(field, type)).join(', ');
    const given = keys.map((_field, index) => `$${index + 1}`).join(', ');
    const start = after === undefined ? '' : `WHERE (${order}) > (${given})`;
    const { rows } = await this.#database.query<Record<string, unknown>>(
      `SELECT ${columns.join(', ')} FROM ${tableOf(kind)} ${start} ORDER BY ${order} LIMIT ${page}`,
      after === undefined ? [] : keys.map(([field]) => after[field] as Parameter),
    );
    return rows;
  }

  async add(kind: RecordKind, records: readonly TransferRecord[]): Promise<void> {
    const { fields } = formOf(kind);
    const columns = Object.keys(fields)
      .map((field) => quoted(columnOf(field)))
      .join(', ');
    const rows = JSON.stringify(records.map((record) => toRow(record, fields)));
    await this.#database.transaction(async (query) => {
      await query(
        `INSERT INTO ${tableOf(kind)} (${columns}) OVERRIDING SYSTEM VALUE
         SELECT ${columns} FROM json_populate_recordset(NULL::${tableOf(kind)}, $1)`,
        [rows],
      );
      await changeVersions(query);
    });
  }

  async clear(kinds: readonly RecordKind[]): Promise<void> {
    if (kinds.length === 0) return;
    await this.#database.transaction(async (query) => {
      await query(`TRUNCATE ${kinds.map(tableOf).join(', ')} CASCADE`);
      await changeVersions(query);
    });
  }

  async lastNumbers(): Promise<LastNumbers> {
    const columns = NUMBERED_KINDS.map(
      (kind) => `coalesce(pg_sequence_last_value(${sequenceOf(kind)}), 0) AS ${quoted(kind)}`,
    );
    const { rows } = await this.#database.query<LastNumbers>(`SELECT ${columns.join(', ')}`);
    return rows[0] as LastNumbers;
  }

  async setLastNumbers(numbers: LastNumbers): Promise<void> {
    const known = await this.lastNumbers();
    await this.#database.transaction(async (query) => {
      for (const kind of NUMBERED_KINDS) {
        if (numbers[kind] > known[kind])
          await query(`SELECT setval(${sequenceOf(kind)}, $1)`, [numbers[kind]]);
      }
      // Their numbers are not kept, but new ones must not be in use.
      await query(
        `SELECT setval(pg_get_serial_sequence('${SCHEMA}.import_journal', 'id'), max(id))
         FROM ${SCHEMA}.import_journal HAVING max(id) > 0`,
      );
    });
  }
}

/** A column of a key. Texts are ordered by code points, whatever the collation of the database. */
function ordered(field: string, type: 'number' | 'text'): string {
  return `${quoted(columnOf(field))}${type === 'text' ? ' COLLATE "C"' : ''}`;
}

function sequenceOf(kind: (typeof NUMBERED_KINDS)[number]): string {
  return `pg_get_serial_sequence('${tableOf(kind)}', 'number')::regclass`;
}

/** A record as `json_populate_recordset` reads it. */
function toRow(record: TransferRecord, fields: Readonly<Record<string, FieldForm>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([field, form]) => {
      const value = record[field] ?? null;
      return [columnOf(field), toJson(form, value)];
    }),
  );
}

/** JSON has no bytes, and `JSON.stringify` writes -0 as 0. */
function toJson(form: FieldForm, value: unknown): unknown {
  if (form === 'bytes' && value !== null) return `\\x${Buffer.from(value as Uint8Array).toString('hex')}`;
  return Object.is(value, -0) ? '-0' : value;
}

/** The first statements of other transactions that change stations, upload keys or alarms, so that none sees half of a change. */
async function changeVersions(query: Query): Promise<void> {
  await query(`UPDATE ${SCHEMA}.station_version SET version = version + 1`);
  await query(`UPDATE ${SCHEMA}.upload_version SET version = version + 1`);
  await query(`UPDATE ${SCHEMA}.alarm_version SET version = version + 1`);
}
