import type { Statement } from './sql.js';

/** The result of a statement: its rows, and the number of rows that were changed or returned. */
export interface Result {
  readonly rows: readonly object[];
  readonly changes: number;
}

/**
 * A computation on stored data, in the form of a generator. It yields SQL statements one after the other, and gets the result of
 * each. It may also yield calls of functions (type `A`). Another function, such as `runNow`, runs the generator and executes what
 * it yields. So the computation itself depends on no database, thread or clock.
 *
 * An operation calls another operation by `yield*`, as an async function uses `await`.
 */
export type Operation<T, A = never> = Generator<Statement | A, T, unknown>;

/** Sends a statement and returns its rows. Booleans and JSON are as the database returns them; `columns.ts` converts them. */
export function* rowsFrom<Row>(statement: Statement): Operation<readonly Row[]> {
  return ((yield statement) as Result).rows as readonly Row[];
}

/** Sends a statement and returns its first row; undefined if there is no row. */
export function* rowFrom<Row>(statement: Statement): Operation<Row | undefined> {
  return ((yield statement) as Result).rows[0] as Row | undefined;
}

/** Sends a statement. @returns the number of rows that it has changed */
export function* send(statement: Statement): Operation<number> {
  return ((yield statement) as Result).changes;
}

/** Runs an operation on a synchronous database. The operation can catch the error of a statement. */
export function runNow<T, A>(operation: Operation<T, A>, perform: (asked: Statement | A) => unknown): T {
  let step = operation.next();
  while (step.done !== true) {
    let result: unknown;
    try {
      result = perform(step.value);
    } catch (error) {
      step = operation.throw(error);
      continue;
    }
    step = operation.next(result);
  }
  return step.value;
}

/** Runs an operation on an asynchronous database. The operation can catch the error of a statement. */
export async function runAsync<T, A>(
  operation: Operation<T, A>,
  perform: (asked: Statement | A) => Promise<unknown>,
): Promise<T> {
  let step = operation.next();
  while (step.done !== true) {
    step = await perform(step.value).then(
      (result) => operation.next(result),
      (error: unknown) => operation.throw(error),
    );
  }
  return step.value;
}
