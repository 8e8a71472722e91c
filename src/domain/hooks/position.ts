/** The delivered rows of a station. Times are milliseconds since 1970-01-01T00:00:00Z. */
export interface HookPosition {
  /** Time of the newest delivered row. */
  readonly time: number;
  /** Range of the rows until `time` that arrived late or changed and were not delivered yet. Both ends are included. */
  readonly late?: { readonly from: number; readonly to: number };
}
