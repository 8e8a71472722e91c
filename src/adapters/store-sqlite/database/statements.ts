import type { Database, Statement as Prepared } from 'better-sqlite3';
import type { Operation, Result } from '#adapters/store/operation.js';
import { runNow } from '#adapters/store/operation.js';
import { parametersOf, type Statement, textOf } from '#adapters/store/sql.js';

type Perform = (statement: Statement) => Result;

const PERFORMERS = new WeakMap<Database, Perform>();

/** Runs an operation of `adapters/store`, within the transaction of the caller. */
export function runOn<T>(database: Database, operation: Operation<T>): T {
  return runNow(operation, performerOf(database));
}

function performerOf(database: Database): Perform {
  const known = PERFORMERS.get(database);
  if (known !== undefined) return known;
  const prepared = new WeakMap<TemplateStringsArray, Prepared>();
  const perform: Perform = (statement) => {
    let ready = prepared.get(statement.texts);
    if (ready === undefined) {
      ready = database.prepare(textOf(statement, 'sqlite'));
      prepared.set(statement.texts, ready);
    }
    const parameters = parametersOf(statement).map((value) =>
      typeof value === 'boolean' ? Number(value) : value,
    );
    if (!ready.reader) return { rows: [], changes: ready.run(...parameters).changes };
    const rows = ready.all(...parameters) as object[];
    return { rows, changes: rows.length };
  };
  PERFORMERS.set(database, perform);
  return perform;
}
