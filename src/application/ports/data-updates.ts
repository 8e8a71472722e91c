/** The changes by an update of data of an earlier version that the operator must know. */
export interface DataUpdates {
  /**
   * Number of users who became readers by an update, because every user could write in the earlier version. Only the first
   * call by any instance returns it; later calls return 0. Rejects with STORE_UNAVAILABLE.
   */
  takeNewReaders(): Promise<number>;
}
