import type { StoreWriter } from '#application/ports/store-writer.js';
import type { MergeScope } from '#adapters/packed-store/merge-schedule.js';

export const MERGE = 'merge';
export const REQUEST_MERGE = 'requestMerge';

/** Stands for the merge schedule of the process that writes, whose check reports defects of merging. */
export class RemoteMerging {
  readonly #writer: StoreWriter;
  readonly defect = undefined;

  constructor(writer: StoreWriter) {
    this.#writer = writer;
  }

  /** As `MergeSchedule.request`. */
  request(): void {
    this.#writer.perform(REQUEST_MERGE, []).catch(() => undefined);
  }

  /** As `MergeSchedule.run`. */
  async run(scope: MergeScope): Promise<void> {
    await this.#writer.perform(MERGE, [scope]);
  }

  async stop(): Promise<void> {
    // The other process merges on.
  }
}
