import type { Database } from 'better-sqlite3';
import type { RunTable } from '../../packed-store/write-target.js';

/** The table of runs of commits. All stations have their runs together. */
export function runTable(database: Database): RunTable {
  const insert = database.prepare('INSERT INTO run (rows, first, last, data) VALUES (?, ?, ?, ?)');
  return {
    blockOf: () => 0,
    insert: (_block, rows, { first, last }, blob) =>
      Number(insert.run(rows, first, last, blob).lastInsertRowid),
  };
}
