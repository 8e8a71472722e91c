import pg from 'pg';

/** SQLSTATE in_failed_sql_transaction. */
const IN_FAILED_TRANSACTION = '25P02';

type Scalar = string | number | boolean | Buffer | null;
export type Parameter = Scalar | Scalar[];

/** Sends a statement over one connection. @throws Error of the driver */
export interface Query {
  <R extends pg.QueryResultRow>(
    text: string,
    values?: readonly Parameter[],
    /** Milliseconds to wait for the result, in place of the default. */
    timeout?: number,
  ): Promise<pg.QueryResult<R>>;
  /** Whether the tables of observations are distributed over several servers; see distribution.ts. */
  readonly isDistributed: boolean;
}
/** @param timeout milliseconds to wait for each result, unless a call gives another time */
export function queryOf(client: pg.ClientBase, timeout: number, isDistributed = false): Query {
  const send = <R extends pg.QueryResultRow>(
    text: string,
    values: readonly Parameter[] = [],
    milliseconds = timeout,
  ) => client.query<R>({ text, values: [...values], query_timeout: milliseconds } as pg.QueryConfig);
  return Object.assign(send, { isDistributed });
}

/**
 * Sends several statements without parameters in one text.
 *
 * @returns their results
 */
export async function queryAll<R extends pg.QueryResultRow>(
  query: Query,
  text: string,
): Promise<readonly pg.QueryResult<R>[]> {
  // For a text with several statements, the driver returns an array of results.
  return (await query<R>(text)) as unknown as readonly pg.QueryResult<R>[];
}

/**
 * Waits for several statements, or functions that send statements, which were started without waiting for each other. This saves
 * round trips.
 *
 * @throws the error of the first that failed. After an error in a transaction, the server refuses all further statements of the
 *   transaction; such a refusal is thrown only if there is no other error
 */
export async function together<T extends readonly unknown[] | []>(
  sent: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const answers = await Promise.allSettled(sent);
  const errors = answers.flatMap((answer) =>
    answer.status === 'rejected' ? [answer.reason as unknown] : [],
  );
  if (errors.length > 0) throw errors.find((error) => !isRefused(error)) ?? errors[0];
  return answers.map((answer) => (answer as PromiseFulfilledResult<unknown>).value) as {
    -readonly [K in keyof T]: Awaited<T[K]>;
  };
}

/** Whether a statement was refused only because an earlier statement of its transaction had failed. */
function isRefused(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === IN_FAILED_TRANSACTION;
}

/** Returns a function that sends statements at once, but returns their results only after `begun` was answered. */
export function sentBehind(begun: Promise<unknown>, query: Query): Query {
  const send = async <R extends pg.QueryResultRow>(
    text: string,
    values?: readonly Parameter[],
    timeout?: number,
  ) => {
    const [, result] = await together([begun, query<R>(text, values, timeout)]);
    return result;
  };
  return Object.assign(send, { isDistributed: query.isDistributed });
}
