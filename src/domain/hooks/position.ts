/** How far the rows of a station were delivered. Times are milliseconds since 1970-01-01T00:00:00Z. */
export interface HookPosition {
  /** Time of the newest row that was delivered. */
  readonly time: number;
  /** Rows until `time` that came late or have changed, and were not delivered yet. Both ends are included. */
  readonly late?: { readonly from: number; readonly to: number };
}
