import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { DomainError } from '#domain/domain-error.js';
import { Sqlite } from './driver.js';

/** Rows that are handed over at once. */
const ROWS = 1000;
/** Bytes up to which a file is checked as a whole before it is read. It takes less than a second. */
const CHECKED = 67_108_864;
/** Bytes of the header of an SQLite file (https://www.sqlite.org/fileformat.html). */
const HEADER = 100;
/** Longest text of a cell in bytes; a longer one is no time and no number. */
const LONGEST = 1000;

/** A table in a file of another program, and its columns in their order. */
export interface ForeignTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/** Columns of a table, in the order of one of them. */
export interface ForeignQuery {
  readonly table: string;
  readonly columns: readonly string[];
  readonly orderBy: string;
}

interface ColumnInfo {
  readonly name: string;
  readonly type: string;
  /** Place in the primary key from 1; 0 for a column that is not part of it. */
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
    if (size <= CHECKED) {
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
    throw toldFault(error);
  } finally {
    database.close();
  }
}

/**
 * The rows of a table of such a file, in pieces. A cell that is a blob or a long text is described, and not loaded, so that a
 * file cannot fill the memory.
 *
 * @returns rows of values as texts, integers with all their digits; NULL is the empty text
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
    // Such a key is the number of the row: always an integer, and its order is that of the table.
    const isRowNumber = key.length === 1 && key[0]?.name === orderBy && /^integer$/i.test(key[0].type);
    const order = isRowNumber ? quotedName(orderBy) : bounded(orderBy);
    const query = `SELECT ${columns.map(bounded).join(', ')} FROM ${quotedName(table)} ORDER BY ${order}`;
    let rows: string[][] = [];
    for (const row of database.prepare(query).raw().safeIntegers().iterate()) {
      rows.push(
        (row as (string | number | bigint | null)[]).map((value) => (value === null ? '' : value.toString())),
      );
      if (rows.length < ROWS) continue;
      yield rows;
      rows = [];
    }
    yield rows;
  } catch (error) {
    throw toldFault(error);
  } finally {
    database.close();
  }
}

function open(path: string): Database {
  try {
    const database = new Sqlite(path, { readonly: true, fileMustExist: true });
    // Expressions in the schema of a file that somebody else has made must not call functions with effects.
    database.pragma('trusted_schema = OFF');
    return database;
  } catch (error) {
    throw toldFault(error);
  }
}

function columnsOf(database: Database, table: string): ColumnInfo[] {
  return database.pragma(`table_info(${quotedName(table)})`) as ColumnInfo[];
}

/** An expression for a cell that loads at most `LONGEST` bytes: SQLite knows type and size of a cell without its content. */
function bounded(column: string): string {
  const name = quotedName(column);
  return (
    `CASE WHEN typeof(${name}) = 'blob' THEN 'a blob of ' || octet_length(${name}) || ' bytes' ` +
    `WHEN typeof(${name}) = 'text' AND octet_length(${name}) > ${LONGEST} THEN 'a text of ' || octet_length(${name}) || ' bytes' ` +
    `ELSE ${name} END`
  );
}

function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * Asserts that a file has all pages that its header counts. SQLite itself reads a file that is cut off as if rows were missing.
 *
 * @returns its size in bytes
 */
function assertWhole(path: string): number {
  const header = Buffer.alloc(HEADER);
  const descriptor = openSync(path, 'r');
  try {
    const { size } = fstatSync(descriptor);
    readSync(descriptor, header, 0, HEADER, 0);
    const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
    // Before version 3.7 the count was not written. It is valid if the two change counters are equal.
    const isCounted = header.readUInt32BE(24) === header.readUInt32BE(92);
    const pages = isCounted ? header.readUInt32BE(28) : 0;
    if (size < pages * pageSize || size % pageSize !== 0) {
      throw damaged(
        `it is cut off: it has ${size} bytes, and its header counts ${pages} pages of ${pageSize}`,
      );
    }
    return size;
  } finally {
    closeSync(descriptor);
  }
}

/** By the beginning of the code of SQLite. */
const FAULTS: readonly (readonly [code: RegExp, text: (message: string) => string])[] = [
  [/^SQLITE_(?:CORRUPT|NOTADB|IOERR|FORMAT)/, (message) => damagedText(message)],
  [/^SQLITE_(?:BUSY|LOCKED)/, () => 'Another program is writing the database: try again when it is done.'],
  [
    /^SQLITE_(?:CANTOPEN|READONLY_DIRECTORY)/,
    () =>
      'The database cannot be opened. One in WAL mode needs a folder that can be written: copy it there, with its file that ends in -wal.',
  ],
  [
    /^SQLITE_READONLY/,
    () =>
      'The program of the database was interrupted while it wrote: let it open the database once, and import it then.',
  ],
];

function toldFault(error: unknown): unknown {
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
