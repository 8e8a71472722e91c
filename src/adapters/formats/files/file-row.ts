/** A rejected line of a list. */
export interface RejectedRow {
  readonly line: number;
  /** Heading of the column that caused the rejection; undefined if no single column caused it. */
  readonly column?: string;
  readonly problem: string;
}
