/** A line of a list that is rejected. */
export interface RejectedRow {
  readonly line: number;
  /** Its heading, where one column is the reason. */
  readonly column?: string;
  readonly problem: string;
}
