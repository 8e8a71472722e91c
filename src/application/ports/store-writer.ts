/**
 * Performs the writing operations of other processes, for a store of which only one process writes. Operations and parameters
 * are those of the store. They and their results can be cloned.
 */
export interface StoreWriter {
  /** Rejects with the failure of the operation. */
  perform(operation: string, parameters: readonly unknown[]): Promise<unknown>;
}
