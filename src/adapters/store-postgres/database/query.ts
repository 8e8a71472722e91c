import type pg from 'pg';

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
