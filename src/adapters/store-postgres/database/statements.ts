import { type Operation, run } from '#adapters/store/operation.js';
import type { Value } from '#adapters/store/sql.js';
import { StatementTexts } from '#adapters/store/statement-texts.js';
import type { Parameter, Query } from './query.js';

const TEXTS = new StatementTexts('postgres', (text) => text);

/** Runs an operation of `adapters/store`, within the transaction of the caller. */
export function runOver<T>(query: Query, operation: Operation<T>): Promise<T> {
  return run(operation, async (statement) => {
    const [text, values] = TEXTS.of(statement);
    const { rows, rowCount } = await query<object>(text, values.map(toParameter));
    return { rows, changes: rowCount ?? 0 };
  });
}

const toParameter = (value: Value): Parameter => (value instanceof Uint8Array ? Buffer.from(value) : value);
