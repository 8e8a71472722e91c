/** Changes that were made when the data of an earlier version were updated, and that the operator must know about. */
export interface DataUpdates {
  /**
   * Number of users who may only read since an update, because they have no permission to write a station. Every user could write
   * in the earlier version. Only the first call by any instance returns the number; later calls return 0. Rejects with
   * STORE_UNAVAILABLE.
   */
  takeNewReaders(): Promise<number>;
}
