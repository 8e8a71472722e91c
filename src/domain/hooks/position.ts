/** Describes which rows and forecasts of a station were delivered. Times are in milliseconds since 1970-01-01T00:00:00Z. */
export interface HookPosition {
  /** Time of the newest delivered row. */
  readonly time: number;
  /**
   * Range of rows before or at `time` that must still be delivered, because they arrived late or have changed. Both ends are
   * included.
   */
  readonly late?: { readonly from: number; readonly to: number };
  /** Time of issue of the newest delivered forecast. Absent if none was delivered. */
  readonly forecast?: number;
}
