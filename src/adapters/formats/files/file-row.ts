/** A row of a file: the values of one station at one time, or the reason why it is rejected. */
export type FileRow = GoodRow | RejectedRow;

export interface GoodRow {
  /** From 1; where a record spans lines, its last. */
  readonly line: number;
  /** The id of the station. */
  readonly station: string;
  /** Whole milliseconds since 1970-01-01T00:00:00Z. */
  readonly time: number;
  /** One for each column of the file, NaN for absent. */
  readonly values: readonly number[];
}

export interface RejectedRow {
  readonly line: number;
  /** Its heading, where one column is the reason. */
  readonly column?: string;
  readonly problem: string;
}

/** Which variable a column of a file is, and in which unit. */
export interface FileColumn {
  readonly field: string;
  readonly variable: string;
  readonly unit: string;
}
