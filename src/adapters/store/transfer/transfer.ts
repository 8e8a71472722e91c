import type { LastNumbers, TransferStore } from '#application/ports/transfer-store.js';
import {
  recordColumnOf,
  type FieldForm,
  formOf,
  NUMBERED_KINDS,
  type RecordKind,
  type TransferRecord,
} from '#application/record-forms.js';
import { fromJson, isTrue } from '../columns.js';
import { type Operation, rowFrom, rowsFrom, send } from '../run-operation.js';
import {
  bigint,
  both,
  type Fragment,
  jsonValue,
  sqlList,
  type Statement,
  sql,
  type SqlValue,
} from '../sql.js';
import { type OperationsOf, present, transaction } from '../store-operations.js';
import { raiseVersion } from '../versions.js';

const tableOf = (kind: RecordKind): Fragment => {
  const { table } = formOf(kind);
  return { sqlite: table, postgres: `weatherd.${table}` };
};
const quoted = (field: string) => `"${recordColumnOf(field)}"`;

/**
 * The SQL expressions by which SQLite reads a field from the JSON text `value`. The expression depends on how the field is
 * stored: `plain` is text or a number.
 */
const CELLS: Readonly<Record<FieldForm, (column: string) => string>> = {
  plain: (column) => `value ->> '${column}'`,
  boolean: (column) => `value ->> '${column}'`,
  json: (column) => `nullif(value -> '${column}', 'null')`,
  bytes: (column) => `unhex(substr(value ->> '${column}', 3))`,
};

/** Encodes bytes and -0 as text. JSON cannot represent bytes, and `JSON.stringify` writes -0 as 0. */
function encoded(form: FieldForm, value: unknown): unknown {
  if (form === 'bytes' && value !== null) return `\\x${Buffer.from(value as Uint8Array).toString('hex')}`;
  return Object.is(value, -0) ? '-0' : value;
}

function toRow(record: TransferRecord, fields: Readonly<Record<string, FieldForm>>): object {
  return Object.fromEntries(
    Object.entries(fields).map(([field, form]) => [
      recordColumnOf(field),
      encoded(form, record[field] ?? null),
    ]),
  );
}

function decoded(form: FieldForm, value: unknown, field: string): unknown {
  if (value === null) return null;
  if (form === 'boolean') return isTrue(value);
  if (form !== 'json') return value;
  try {
    return fromJson(value);
  } catch (cause) {
    throw new Error(`its column ${recordColumnOf(field)} is not JSON`, { cause });
  }
}

/** @throws Error that says how to repair a damaged record */
function toRecord(kind: RecordKind, row: TransferRecord): TransferRecord {
  const { table, key, fields } = formOf(kind);
  try {
    return Object.fromEntries(
      Object.entries(fields).map(([field, form]) => [field, decoded(form, row[field], field)]),
    );
  } catch (cause) {
    const keys = Object.keys(key).map((field) => row[field]);
    const name = JSON.stringify(row['id'] ?? keys.join(' '));
    const message = `the ${table.replaceAll('_', ' ')} ${name} is damaged: ${(cause as Error).message}.`;
    throw new Error(`${message} "weatherd check" says how to repair it`, { cause });
  }
}

/**
 * Raises the versions of stations, upload keys and alarms, in this order. A version is a number that each change of these data
 * raises. Other transactions that change several of these data raise the versions in the same order. Such transactions therefore
 * run one after the other, and none sees half of a change.
 */
function* changeVersions(): Operation<void> {
  yield* raiseVersion('stations');
  yield* raiseVersion('uploadKeys');
  yield* raiseVersion('alarms');
}

type NumberedKind = (typeof NUMBERED_KINDS)[number];

const sequenceOf = (kind: NumberedKind) =>
  `pg_get_serial_sequence('weatherd.${formOf(kind).table}', 'number')::regclass`;

function* lastNumbers(): Operation<LastNumbers> {
  const columns = (last: (kind: NumberedKind) => string) =>
    NUMBERED_KINDS.map((kind) => `coalesce(${last(kind)}, 0) AS "${kind}"`).join(', ');
  const all: Fragment = {
    sqlite: columns((kind) => `(SELECT seq FROM sqlite_sequence WHERE name = '${formOf(kind).table}')`),
    postgres: columns((kind) => `pg_sequence_last_value(${sequenceOf(kind)})`),
  };
  return (yield* rowFrom<LastNumbers>(sql`SELECT ${all}`)) as LastNumbers;
}

/**
 * Creates the statement that sets the last assigned number of a kind of records. SQLite keeps this number in a row of the table
 * `sqlite_sequence`. The statement replaces the row, or adds it if SQLite has never assigned a number of this kind.
 */
function setLastNumber(kind: NumberedKind, number: number): Statement {
  const { table } = formOf(kind);
  const entry = `(SELECT rowid FROM sqlite_sequence WHERE name = '${table}'), '${table}'`;
  const before: Fragment = {
    sqlite: `INSERT OR REPLACE INTO sqlite_sequence (rowid, name, seq) VALUES (${entry},`,
    postgres: `SELECT setval(${sequenceOf(kind)},`,
  };
  return sql`${before} ${bigint(number)})`;
}

/**
 * Makes the ids of new journal entries continue after the ids of the copied entries. Otherwise PostgreSQL would assign ids that
 * are already in use. SQLite needs no statement, because it always continues after the largest id.
 */
const FOLLOW_ENTRIES: Fragment = {
  sqlite: 'SELECT 0',
  postgres: `SELECT setval(pg_get_serial_sequence('weatherd.import_journal', 'id'), max(id))
    FROM weatherd.import_journal HAVING max(id) > 0`,
};

export const TRANSFER: OperationsOf<TransferStore> = {
  read: present(function* (kind, after) {
    const { key, fields, page } = formOf(kind);
    const columns = Object.keys(fields).map((field) => `${quoted(field)} AS "${field}"`);
    const keys = Object.entries(key);
    const order: Fragment = {
      sqlite: keys.map(([field]) => quoted(field)).join(', '),
      postgres: keys
        .map(([field, type]) => (type === 'text' ? `${quoted(field)} COLLATE "C"` : quoted(field)))
        .join(', '),
    };
    const start =
      after && sql`WHERE (${order}) > (${sqlList(keys.map(([field]) => after[field] as SqlValue))})`;
    const rows = yield* rowsFrom<TransferRecord>(
      sql`SELECT ${both(columns.join(', '))} FROM ${tableOf(kind)} ${start ?? []} ORDER BY ${order} LIMIT ${page}`,
    );
    return rows.map((row) => toRecord(kind, row));
  }),

  add: transaction(function* (kind, records) {
    const { table, fields } = formOf(kind);
    const names = Object.keys(fields).map(quoted).join(', ');
    const cells = Object.entries(fields).map(([field, form]) => CELLS[form](recordColumnOf(field)));
    const from: Fragment = {
      sqlite: `SELECT ${cells.join(', ')} FROM json_each(`,
      postgres: `OVERRIDING SYSTEM VALUE SELECT ${names} FROM jsonb_populate_recordset(NULL::weatherd.${table},`,
    };
    const rows = jsonValue(records.map((record) => toRow(record, fields)));
    yield* send(sql`INSERT INTO ${tableOf(kind)} (${both(names)}) ${from} ${rows})`);
    yield* changeVersions();
  }),

  clear: transaction(function* (kinds) {
    // A record that refers to another record is removed before that other record.
    for (const kind of kinds.toReversed()) {
      const { table } = formOf(kind);
      const all: Fragment = {
        sqlite: `DELETE FROM ${table}`,
        postgres: `TRUNCATE weatherd.${table} CASCADE`,
      };
      yield* send(sql`${all}`);
    }
    yield* changeVersions();
  }),

  lastNumbers: present(lastNumbers),

  setLastNumbers: transaction(function* (numbers) {
    const known = yield* lastNumbers();
    for (const kind of NUMBERED_KINDS)
      if (numbers[kind] > known[kind]) yield* send(setLastNumber(kind, numbers[kind]));
    yield* send(sql`${FOLLOW_ENTRIES}`);
  }),
};
