import type pg from 'pg';

type Scalar = string | number | boolean | Buffer | null;
export type Parameter = Scalar | Scalar[];

/** Sends a statement over one connection. @throws the error of the driver */
export type Query = <R extends pg.QueryResultRow>(
  text: string,
  values?: readonly Parameter[],
  /** Milliseconds to wait for the answer, in place of the usual. */
  patience?: number,
) => Promise<pg.QueryResult<R>>;
