import type { ObservationOperation, ObservationTables } from '#adapters/store/observations/tables.js';
import { type Operation, type Result, runAsync } from '#adapters/store/run-operation.js';
import type { Statement, SqlValue } from '#adapters/store/sql.js';
import { StatementTexts } from '#adapters/store/statement-texts.js';
import type { Parameter, Query } from './query.js';

const TEXTS = new StatementTexts('postgres', (text) => text);

/**
 * Runs an operation of `adapters/store` within the transaction of the caller. An operation is a generator that yields SQL
 * statements; this function executes each statement and gives the operation the result.
 */
export function runOver<T>(query: Query, operation: Operation<T>): Promise<T> {
  return runAsync(operation, (statement) => perform(query, statement));
}

/**
 * Runs an operation that reads or changes packed observations, within the transaction of the caller. In addition to SQL
 * statements, such an operation yields calls of the methods of `tables`.
 */
export function runWith<T>(
  query: Query,
  tables: ObservationTables,
  operation: ObservationOperation<T>,
): Promise<T> {
  return runAsync(operation, async (asked) =>
    typeof asked === 'function' ? await asked(tables) : await perform(query, asked),
  );
}

async function perform(query: Query, statement: Statement): Promise<Result> {
  const [text, values] = TEXTS.of(statement);
  const { rows, rowCount } = await query<object>(text, values.map(toParameter));
  return { rows, changes: rowCount ?? 0 };
}

const toParameter = (value: SqlValue): Parameter =>
  value instanceof Uint8Array ? Buffer.from(value) : value;
