import type pg from 'pg';

type Scalar = string | number | boolean | Buffer | null;
export type Parameter = Scalar | Scalar[];

/** Sends a statement over one connection. @throws the error of the driver */
export interface Query {
  <R extends pg.QueryResultRow>(
    text: string,
    values?: readonly Parameter[],
    /** Milliseconds to wait for the result, in place of the default. */
    timeout?: number,
  ): Promise<pg.QueryResult<R>>;
  /** Whether the tables of observations are distributed by block; see distribution.ts. */
  readonly isDistributed: boolean;
}
