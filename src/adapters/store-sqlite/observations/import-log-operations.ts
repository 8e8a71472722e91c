import type { Database } from 'better-sqlite3';

/** The statements behind SqliteImportLog; they run in the worker thread. */
export function importLogOperations(database: Database) {
  const find = database.prepare<[string], number>('SELECT line FROM import WHERE key = ?').pluck();
  const put = database.prepare(
    'INSERT INTO import (key, line) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET line = excluded.line',
  );
  const remove = database.prepare('DELETE FROM import WHERE key = ?');
  return {
    importedLine: (key: string): number => find.get(key) ?? 0,
    noteImport: (key: string, line: number) => void put.run(key, line),
    forgetImport: (key: string) => void remove.run(key),
  };
}
