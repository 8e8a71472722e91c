/** A row of a file: the values of one station at one time, or the reason why it cannot be read. */
export type SentRow = GoodRow | BadRow;

export interface GoodRow {
  /** From 1; where a record spans lines, its last. */
  readonly line: number;
  readonly station: string;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly time: number;
  /** One for each column of the plan, NaN for absent. */
  readonly values: readonly number[];
}

export interface BadRow {
  readonly line: number;
  /** Its heading, where one column is the reason. */
  readonly column?: string;
  readonly problem: string;
  /** Whether the line was too long, so that its text is not a row. */
  readonly isCut?: boolean;
}

/** Which variable a column of a file is, and in which unit. */
export interface PlanColumn {
  readonly field: string;
  readonly variable: string;
  readonly unit: string;
}
