import type { Database } from 'better-sqlite3';
import type { LastNumbers } from '#application/ports/transfer-store.js';
import {
  columnOf,
  type FieldForm,
  formOf,
  NUMBERED_KINDS,
  type RecordKind,
  type TransferRecord,
} from '#application/record-forms.js';

type Row = Record<string, unknown>;

const ENCODE: Readonly<Record<FieldForm, (value: unknown) => unknown>> = {
  plain: (value) => value,
  bytes: (value) => value,
  boolean: Number,
  json: (value) => JSON.stringify(value),
};
const DECODE: Readonly<Record<FieldForm, (value: unknown, field: string) => unknown>> = {
  plain: (value) => value,
  bytes: (value) => value,
  boolean: (value) => value === 1,
  json: decodeJson,
};

/** The statements behind SqliteTransferStore. They run in the thread that owns the file. */
export function transferOperations(database: Database) {
  const read = (kind: RecordKind, after?: TransferRecord): TransferRecord[] => {
    const { table, key, fields, page } = formOf(kind);
    const columns = Object.keys(fields).map((field) => `${columnOf(field)} AS ${field}`);
    const keys = Object.keys(key);
    const order = keys.map(columnOf).join(', ');
    const start = after === undefined ? '' : `WHERE (${order}) > (${keys.map(() => '?').join(', ')})`;
    const rows = database
      .prepare<unknown[], Row>(
        `SELECT ${columns.join(', ')} FROM ${table} ${start} ORDER BY ${order} LIMIT ${page}`,
      )
      .all(...(after === undefined ? [] : keys.map((field) => after[field])));
    return rows.map((row) => {
      try {
        return converted(row, fields, DECODE);
      } catch (cause) {
        const name = JSON.stringify(row['id'] ?? keys.map((field) => row[field]).join(' '));
        const message = `the ${table.replaceAll('_', ' ')} ${name} is damaged: ${(cause as Error).message}.`;
        throw new Error(`${message} "weatherd check" says how to repair it`, { cause });
      }
    });
  };
  const changeVersions = () => {
    database.exec('UPDATE station_version SET version = version + 1');
    database.exec('UPDATE upload_version SET version = version + 1');
    database.exec('UPDATE alarm_version SET version = version + 1');
  };
  const add = database.transaction((kind: RecordKind, records: readonly TransferRecord[]) => {
    const { table, fields } = formOf(kind);
    const names = Object.keys(fields);
    const insert = database.prepare<Row>(
      `INSERT INTO ${table} (${names.map(columnOf).join(', ')}) VALUES (${names.map((name) => `@${name}`).join(', ')})`,
    );
    for (const record of records) insert.run(converted(record, fields, ENCODE));
    changeVersions();
  });
  const clear = database.transaction((kinds: readonly RecordKind[]) => {
    // Records that refer to others are removed before them.
    for (const kind of kinds.toReversed()) database.exec(`DELETE FROM ${formOf(kind).table}`);
    changeVersions();
  });
  const last = database.prepare<[string], number>('SELECT seq FROM sqlite_sequence WHERE name = ?').pluck();
  const raise = database.prepare('UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?');
  const begin = database.prepare('INSERT INTO sqlite_sequence (seq, name) VALUES (?, ?)');
  const setLast = database.transaction((numbers: LastNumbers) => {
    for (const kind of NUMBERED_KINDS) {
      const { table } = formOf(kind);
      // The table has no entry before the first number is assigned.
      if (raise.run(numbers[kind], table).changes === 0) begin.run(numbers[kind], table);
    }
  });
  return {
    transferred: read,
    addTransferred: (kind: RecordKind, records: readonly TransferRecord[]) => add.immediate(kind, records),
    clearTransferred: (kinds: readonly RecordKind[]) => clear.immediate(kinds),
    lastNumbers: (): LastNumbers => {
      const numbers = NUMBERED_KINDS.map((kind) => [kind, last.get(formOf(kind).table) ?? 0] as const);
      return Object.fromEntries(numbers) as LastNumbers;
    },
    setLastNumbers: (numbers: LastNumbers) => setLast.immediate(numbers),
  };
}

function decodeJson(value: unknown, field: string): unknown {
  try {
    return JSON.parse(value as string) as unknown;
  } catch (cause) {
    throw new Error(`its column ${columnOf(field)} is not JSON`, { cause });
  }
}

function converted(
  record: TransferRecord,
  fields: Readonly<Record<string, FieldForm>>,
  convert: Readonly<Record<FieldForm, (value: unknown, field: string) => unknown>>,
): Row {
  return Object.fromEntries(
    Object.entries(fields).map(([field, form]) => {
      const value = record[field] ?? null;
      return [field, value === null ? null : convert[form](value, field)];
    }),
  );
}
