import type { Database } from 'better-sqlite3';
import type { RunTable } from '#adapters/packed-store/write-target.js';

/** The table of runs of commits. A run of a commit is a blob with rows of one commit, of all stations. */
export function runTable(database: Database): RunTable {
  const insert = database.prepare('INSERT INTO run (id, rows, first, last, data) VALUES (?, ?, ?, ?, ?)');
  return {
    blockOf: () => 0,
    insert: (_block, id, rows, { first, last }, blob) => {
      insert.run(id, rows, first, last, blob);
    },
  };
}
