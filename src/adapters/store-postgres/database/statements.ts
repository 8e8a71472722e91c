import type { ObservationOperation, ObservationTables } from '#adapters/store/observations/tables.js';
import { type Operation, type Result, run } from '#adapters/store/operation.js';
import { parametersOf, type Statement, textOf, type Value } from '#adapters/store/sql.js';
import type { Parameter, Query } from './query.js';

const TEXTS = new WeakMap<TemplateStringsArray, string>();

/** Runs an operation of `adapters/store`, within the transaction of the caller. */
export function runOver<T>(query: Query, operation: Operation<T>): Promise<T> {
  return run(operation, (statement) => perform(query, statement));
}

/** Runs an operation on packed observations, within the transaction of the caller. */
export function runWith<T>(
  query: Query,
  tables: ObservationTables,
  operation: ObservationOperation<T>,
): Promise<T> {
  return run(operation, async (asked) =>
    typeof asked === 'function' ? await asked(tables) : await perform(query, asked),
  );
}

async function perform(query: Query, statement: Statement): Promise<Result> {
  let text = TEXTS.get(statement.texts);
  if (text === undefined) {
    text = textOf(statement, 'postgres');
    TEXTS.set(statement.texts, text);
  }
  const { rows, rowCount } = await query<object>(text, parametersOf(statement).map(toParameter));
  return { rows, changes: rowCount ?? 0 };
}

const toParameter = (value: Value): Parameter => (value instanceof Uint8Array ? Buffer.from(value) : value);
