/** Rows of a table of days: from `from` to `to` (not included). */
export interface Rows {
  readonly from: number;
  readonly to: number;
}
