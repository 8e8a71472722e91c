/** A rejected line of a list. */
export interface RejectedRow {
  readonly line: number;
  /** Heading of the column that is the reason, if one column is. */
  readonly column?: string;
  readonly problem: string;
}
