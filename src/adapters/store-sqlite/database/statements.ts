import type { Database } from 'better-sqlite3';
import type { Operation, Result } from '#adapters/store/operation.js';
import { runNow } from '#adapters/store/operation.js';
import type { Statement } from '#adapters/store/sql.js';
import { StatementTexts } from '#adapters/store/statement-texts.js';

type Perform = (statement: Statement) => Result;

const PERFORMERS = new WeakMap<Database, Perform>();

/** Runs an operation of `adapters/store`, within the transaction of the caller. */
export function runOn<T>(database: Database, operation: Operation<T>): T {
  return runNow(operation, performerOf(database));
}

function performerOf(database: Database): Perform {
  const known = PERFORMERS.get(database);
  if (known !== undefined) return known;
  const prepared = new StatementTexts('sqlite', (text) => database.prepare(text));
  const perform: Perform = (statement) => {
    const [ready, values] = prepared.of(statement);
    const parameters = values.map((value) => (typeof value === 'boolean' ? Number(value) : value));
    if (!ready.reader) return { rows: [], changes: ready.run(...parameters).changes };
    const rows = ready.all(...parameters) as object[];
    return { rows, changes: rows.length };
  };
  PERFORMERS.set(database, perform);
  return perform;
}
