import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { DomainError } from '#domain/domain-error.js';
import { Sqlite } from './driver.js';

/** Maximum number of rows in each piece that `foreignRows` yields. */
const ROWS_AT_ONCE = 1000;
/** Maximum size in bytes of a file that is checked completely before it is read. The check takes less than a second. */
const MAX_CHECKED_BYTES = 67_108_864;
/** Length of the header of an SQLite file in bytes (https://www.sqlite.org/fileformat.html). */
const HEADER_BYTES = 100;
/** Maximum length of the text of a cell in bytes. A longer text is neither a time nor a number. */
const MAX_CELL_BYTES = 1000;

/** A table in a file of another program. Its columns are in the order of the table. */
export interface ForeignTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/** Selects columns of a table. Rows are sorted by the column `orderBy`. */
export interface ForeignQuery {
  readonly table: string;
  readonly columns: readonly string[];
  readonly orderBy: string;
}

interface ColumnInfo {
  readonly name: string;
  readonly type: string;
  /** Position of the column in the primary key: 1 for the first column of the key, 0 for a column outside of the key. */
  readonly pk: number;
}

type Database = InstanceType<typeof Sqlite>;

/**
 * The tables in an SQLite file of another program. The file is opened for reading only.
 *
 * @throws DomainError REQUEST_INVALID when the file is cut off, damaged, or locked
 */
export function foreignTables(path: string): ForeignTable[] {
  const size = assertWhole(path);
  const database = open(path);
  try {
    if (size <= MAX_CHECKED_BYTES) {
      const result = database.pragma('quick_check(1)', { simple: true });
      if (result !== 'ok') throw damaged(String(result));
    }
    const names = database
      .prepare(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
      )
      .pluck()
      .all() as string[];
    return names.map((name) => ({
      name,
      columns: columnsOf(database, name).map((column) => column.name),
    }));
  } catch (error) {
    throw toFileError(error);
  } finally {
    database.close();
  }
}

/**
 * Reads the rows of a table in an SQLite file of another program, in pieces. A cell with a blob or a long text is not loaded, so
 * that a file cannot fill the memory. The value of such a cell is a description, for example `a blob of 20 bytes`.
 *
 * @returns rows of values as texts. Integers have all their digits, and NULL is the empty text.
 * @throws DomainError REQUEST_INVALID when the file is damaged or locked
 */
export async function* foreignRows(
  path: string,
  { table, columns, orderBy }: ForeignQuery,
): AsyncGenerator<readonly (readonly string[])[]> {
  assertWhole(path);
  const database = open(path);
  try {
    const key = columnsOf(database, table).filter(({ pk }) => pk > 0);
    // A primary key of the type INTEGER is the row number. It is always an integer, so its size needs no limit. SQLite stores the
    // table in the order of the row number, so no sorting is needed.
    const isRowNumber = key.length === 1 && key[0]?.name === orderBy && /^integer$/i.test(key[0].type);
    const order = isRowNumber ? quotedName(orderBy) : bounded(orderBy);
    const query = `SELECT ${columns.map(bounded).join(', ')} FROM ${quotedName(table)} ORDER BY ${order}`;
    let rows: string[][] = [];
    for (const row of database.prepare(query).raw().safeIntegers().iterate()) {
      rows.push(
        (row as (string | number | bigint | null)[]).map((value) => (value === null ? '' : value.toString())),
      );
      if (rows.length < ROWS_AT_ONCE) continue;
      yield rows;
      rows = [];
    }
    yield rows;
  } catch (error) {
    throw toFileError(error);
  } finally {
    database.close();
  }
}

function open(path: string): Database {
  try {
    const database = new Sqlite(path, { readonly: true, fileMustExist: true });
    // Expressions in the schema of an untrusted file must not call functions with side effects.
    database.pragma('trusted_schema = OFF');
    return database;
  } catch (error) {
    throw toFileError(error);
  }
}

function columnsOf(database: Database, table: string): ColumnInfo[] {
  return database.pragma(`table_info(${quotedName(table)})`) as ColumnInfo[];
}

/**
 * An SQL expression for a cell that loads at most `MAX_CELL_BYTES` bytes. SQLite knows the type and the size of a cell without
 * reading the content.
 */
function bounded(column: string): string {
  const name = quotedName(column);
  return (
    `CASE WHEN typeof(${name}) = 'blob' THEN 'a blob of ' || octet_length(${name}) || ' bytes' ` +
    `WHEN typeof(${name}) = 'text' AND octet_length(${name}) > ${MAX_CELL_BYTES} THEN 'a text of ' || octet_length(${name}) || ' bytes' ` +
    `ELSE ${name} END`
  );
}

function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * Asserts that a file has as many pages as its header says. SQLite itself would read a file that is cut off as if rows were
 * missing.
 *
 * @returns the size of the file in bytes
 */
function assertWhole(path: string): number {
  const header = Buffer.alloc(HEADER_BYTES);
  const descriptor = openSync(path, 'r');
  try {
    const { size } = fstatSync(descriptor);
    readSync(descriptor, header, 0, HEADER_BYTES, 0);
    const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
    // SQLite before version 3.7 did not write the number of pages into the header. The number is valid if two counters in the
    // header are equal: the counter of changes, and a copy of this counter, which only later versions write.
    const isCounted = header.readUInt32BE(24) === header.readUInt32BE(92);
    const pages = isCounted ? header.readUInt32BE(28) : 0;
    if (size < pages * pageSize || size % pageSize !== 0) {
      throw damaged(
        `the file is cut off: it has ${size} bytes, and its header counts ${pages} pages of ${pageSize} bytes`,
      );
    }
    return size;
  } finally {
    closeSync(descriptor);
  }
}

/** The messages of faults, by the beginning of the error code of SQLite. */
const FAULTS: readonly (readonly [code: RegExp, text: (message: string) => string])[] = [
  [/^SQLITE_(?:CORRUPT|NOTADB|IOERR|FORMAT)/, (message) => damagedText(message)],
  [
    /^SQLITE_(?:BUSY|LOCKED)/,
    () => 'Another program is writing the database. Try again when that program has finished.',
  ],
  [
    /^SQLITE_(?:CANTOPEN|READONLY_DIRECTORY)/,
    () =>
      'The database cannot be opened. A database in WAL mode needs a writable folder: copy the database and its file that ends in -wal to one.',
  ],
  [
    /^SQLITE_READONLY/,
    () =>
      'The program of the database was interrupted while it wrote. Open the database once with that program, and import it again.',
  ],
];

function toFileError(error: unknown): unknown {
  const { code, message } = error as { code?: unknown; message: string };
  if (typeof code !== 'string') return error;
  const text = FAULTS.find(([pattern]) => pattern.test(code))?.[1];
  return text === undefined ? error : new DomainError('REQUEST_INVALID', text(message), { cause: error });
}

function damaged(reason: string): DomainError {
  return new DomainError('REQUEST_INVALID', damagedText(reason));
}

function damagedText(reason: string): string {
  return `The database is damaged: ${reason}.`;
}
