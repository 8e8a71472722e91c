import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { DomainError } from '../../../domain/domain-error.js';
import { Sqlite } from './driver.js';

/** Rows that are handed over at once. */
const ROWS = 1000;
/** Bytes up to which a file is checked as a whole before it is read. It takes less than a second. */
const CHECKED = 67_108_864;
/** Bytes of the header of an SQLite file (https://www.sqlite.org/fileformat.html). */
const HEADER = 100;

/**
 * The rows of a query of an SQLite file of another program, in pieces. The file is opened for reading only.
 *
 * @param path of the file
 * @param query whose first column is a whole number
 * @returns rows of values as texts; NULL is the empty text
 * @throws DomainError REQUEST_INVALID when the file is cut off or damaged
 */
export async function* queryForeignFile(
  path: string,
  query: string,
): AsyncGenerator<readonly (readonly string[])[]> {
  const size = assertWhole(path);
  const database = new Sqlite(path, { readonly: true, fileMustExist: true });
  try {
    if (size <= CHECKED) {
      const result = database.pragma('quick_check(1)', { simple: true });
      if (result !== 'ok') throw damaged(String(result));
    }
    let rows: string[][] = [];
    for (const row of database.prepare(query).raw().iterate()) {
      rows.push(
        (row as (string | number | bigint | Buffer | null)[]).map((value) =>
          value === null ? '' : value.toString(),
        ),
      );
      if (rows.length < ROWS) continue;
      yield rows;
      rows = [];
    }
    yield rows;
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string };
    const isDamage = typeof code === 'string' && /^SQLITE_(?:CORRUPT|NOTADB|IOERR)/.test(code);
    throw isDamage ? damaged(message) : error;
  } finally {
    database.close();
  }
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

function damaged(reason: string): DomainError {
  return new DomainError('REQUEST_INVALID', `The database is damaged: ${reason}.`);
}
