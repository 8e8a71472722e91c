import type { Database } from 'better-sqlite3';
import { Sqlite } from '../database/driver.js';
import { makeSchema, SCHEMA_VERSION, schemaVersion } from '../database/migrations.js';

/** Columns by the name of a table; none for an index, a view or a trigger. */
type Schema = ReadonlyMap<string, readonly string[]>;

/**
 * Makes sure that a file has the tables of the version that it names, and none of a later version: the next start would fail to
 * bring it up to date. Other programs may have tables of their own in it.
 *
 * @throws Error that names the first difference
 */
export function assertExpectedSchema(database: Database): void {
  const version = schemaVersion(database);
  const difference = differenceOf(referenceOf(version), schemaOf(database), referenceOf(SCHEMA_VERSION));
  if (difference === undefined) return;
  throw new Error(
    `it is damaged (${difference} of version ${version} of the schema, which it says it has): use another backup`,
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
    if (present === undefined) return `there is no ${name}`;
    const missing = columns.find((column) => !present.includes(column));
    if (missing !== undefined) return `there is no column ${missing} in ${name}`;
    const later = latest.get(name)?.filter((column) => !columns.includes(column)) ?? [];
    const added = later.find((column) => present.includes(column));
    if (added !== undefined) return `the column ${added} in ${name} is not`;
  }
  const added = [...found.keys()].find((name) => !expected.has(name) && latest.has(name));
  return added === undefined ? undefined : `${added} is not`;
}

function schemaOf(database: Database): Schema {
  // SQLite itself makes the others, such as the statistics of ANALYZE.
  const parts = database.prepare<[], { readonly name: string; readonly type: string }>(
    "SELECT name, type FROM sqlite_schema WHERE name NOT LIKE 'sqlite^_%' ESCAPE '^' ORDER BY rowid",
  );
  const columns = database.prepare<[string], string>('SELECT name FROM pragma_table_xinfo(?)').pluck();
  return new Map(parts.all().map(({ name, type }) => [name, type === 'table' ? columns.all(name) : []]));
}
