import type { StoreWriter } from '#application/ports/store-writer.js';
import type { MergeScope } from '#adapters/packed-store/merge-schedule.js';

export const MERGE = 'merge';
export const REQUEST_MERGE = 'requestMerge';

/**
 * Asks the process that writes the data file to merge, that is, to move rows from blobs of single commits into larger blobs. If
 * merging fails, the health check of that process reports it.
 */
export class RemoteMerging {
  readonly #writer: StoreWriter;
  readonly defect = undefined;

  constructor(writer: StoreWriter) {
    this.#writer = writer;
  }

  /**
   * Requests a merge in the other process, without waiting for it; see `MergeSchedule.request`. A merge moves rows into larger
   * blobs.
   */
  request(): void {
    this.#writer.perform(REQUEST_MERGE, []).catch(() => undefined);
  }

  /** Merges in the other process (moves rows into larger blobs) and waits for the end; see `MergeSchedule.run`. */
  async run(scope: MergeScope): Promise<void> {
    await this.#writer.perform(MERGE, [scope]);
  }

  async stop(): Promise<void> {
    // Nothing to stop, because the other process continues to merge, that is, to move rows into larger blobs.
  }
}
