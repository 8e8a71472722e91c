import type { StoreWriter } from '#application/ports/store-writer.js';
import type { MergeScope } from '#adapters/packed-store/merge-schedule.js';

export const MERGE = 'merge';
export const REQUEST_MERGE = 'requestMerge';

/** Sends merge requests to the process that writes. The check of that process reports defects of merging. */
export class RemoteMerging {
  readonly #writer: StoreWriter;
  readonly defect = undefined;

  constructor(writer: StoreWriter) {
    this.#writer = writer;
  }

  /** Same as `MergeSchedule.request`. */
  request(): void {
    this.#writer.perform(REQUEST_MERGE, []).catch(() => undefined);
  }

  /** Same as `MergeSchedule.run`. */
  async run(scope: MergeScope): Promise<void> {
    await this.#writer.perform(MERGE, [scope]);
  }

  async stop(): Promise<void> {
    // Nothing to stop, because the other process continues to merge.
  }
}
