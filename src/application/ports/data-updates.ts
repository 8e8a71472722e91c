/** What an update of the data of an earlier version has changed and the operator has to be told. */
export interface DataUpdates {
  /**
   * Number of users whom an update has made readers, because every user could write in their version. Only the first
   * call by any instance returns it; later calls return 0. Rejects with STORE_UNAVAILABLE.
   */
  takeNewReaders(): Promise<number>;
}
