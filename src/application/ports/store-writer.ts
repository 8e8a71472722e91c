/**
 * Performs writing operations for other processes, if only one process may write to the store. The store defines the operations and
 * their parameters. Parameters and results can be cloned (structured clone).
 */
export interface StoreWriter {
  /** Performs one operation. Rejects with the failure of the operation. */
  perform(operation: string, parameters: readonly unknown[]): Promise<unknown>;
}
