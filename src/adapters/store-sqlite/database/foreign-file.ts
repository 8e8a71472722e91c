import { Sqlite } from './driver.js';

/** Rows that are handed over at once. */
const ROWS = 1000;

/**
 * The rows of a query of an SQLite file of another program, in pieces. The file is opened for reading only.
 *
 * @param path of the file
 * @param query whose first column is a whole number
 * @returns rows of values as texts; NULL is the empty text
 */
export async function* queryForeignFile(
  path: string,
  query: string,
): AsyncGenerator<readonly (readonly string[])[]> {
  const database = new Sqlite(path, { readonly: true, fileMustExist: true });
  try {
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
  } finally {
    database.close();
  }
}
