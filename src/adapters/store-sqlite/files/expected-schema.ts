import type { Database } from 'better-sqlite3';
import { Sqlite } from '../database/driver.js';
import { makeSchema, SCHEMA_VERSION, schemaVersion } from '../database/migrations.js';

/** Columns by the name of a table. An index, a view or a trigger has no columns. */
type Schema = ReadonlyMap<string, readonly string[]>;

/**
 * Asserts that a file has all tables of its schema version, and no table of a later version. Otherwise the migration at the next start
 * would
 * fail. Tables of other programs are allowed.
 *
 * @throws Error that names the first difference
 */
export function assertExpectedSchema(database: Database): void {
  const version = schemaVersion(database);
  const difference = differenceOf(referenceOf(version), schemaOf(database), referenceOf(SCHEMA_VERSION));
  if (difference === undefined) return;
  throw new Error(
    `the backup is damaged (${difference} in version ${version} of the schema, which its header names): use another backup`,
  );
}

function referenceOf(version: number): Schema {
  const database = new Sqlite(':memory:');
  try {
    makeSchema(database, version);
    return schemaOf(database);
  } finally {
    database.close();
  }
}

function differenceOf(expected: Schema, found: Schema, latest: Schema): string | undefined {
  for (const [name, columns] of expected) {
    const present = found.get(name);
    if (present === undefined) return `${name} is missing`;
    const missing = columns.find((column) => !present.includes(column));
    if (missing !== undefined) return `the column ${missing} in ${name} is missing`;
    const later = latest.get(name)?.filter((column) => !columns.includes(column)) ?? [];
    const added = later.find((column) => present.includes(column));
    if (added !== undefined) return `the column ${added} in ${name} does not exist`;
  }
  const added = [...found.keys()].find((name) => !expected.has(name) && latest.has(name));
  return added === undefined ? undefined : `${added} does not exist`;
}

function schemaOf(database: Database): Schema {
  // The query skips the tables that SQLite itself creates, such as the statistics of ANALYZE.
  const parts = database.prepare<[], { readonly name: string; readonly type: string }>(
    "SELECT name, type FROM sqlite_schema WHERE name NOT LIKE 'sqlite^_%' ESCAPE '^' ORDER BY rowid",
  );
  const columns = database.prepare<[string], string>('SELECT name FROM pragma_table_xinfo(?)').pluck();
  return new Map(parts.all().map(({ name, type }) => [name, type === 'table' ? columns.all(name) : []]));
}
