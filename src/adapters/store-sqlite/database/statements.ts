import type { Database } from 'better-sqlite3';
import type { ObservationOperation, ObservationTables } from '#adapters/store/observations/tables.js';
import type { Operation, Result } from '#adapters/store/run-operation.js';
import { runNow } from '#adapters/store/run-operation.js';
import type { Statement } from '#adapters/store/sql.js';
import { StatementTexts } from '#adapters/store/statement-texts.js';

type Perform = (statement: Statement) => Result;

const PERFORMERS = new WeakMap<Database, Perform>();

/**
 * Runs an operation of `adapters/store` within the transaction of the caller. An operation is a generator that yields SQL
 * statements; this function executes each statement and gives the operation the result.
 */
export function runOn<T>(database: Database, operation: Operation<T>): T {
  return runNow(operation, performerOf(database));
}

/**
 * Runs an operation that reads or changes packed observations, within the transaction of the caller. Such an operation is a
 * generator. It yields SQL statements, which are executed, and functions, which are called with `tables` (the tables of
 * observations). It receives each result.
 */
export function runWith<T>(
  database: Database,
  tables: ObservationTables,
  operation: ObservationOperation<T>,
): T {
  const perform = performerOf(database);
  return runNow(operation, (asked) => (typeof asked === 'function' ? asked(tables) : perform(asked)));
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
