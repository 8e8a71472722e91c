import type { PendingSender } from '../../../domain/uploads/pending-sender.js';
import type { PendingSenders } from './pending-senders.js';

/** A pending sender as people see it. */
export type PendingView = Omit<PendingSender, 'digest'> & {
  /** Whether it can be approved. It cannot where it sends nothing that tells it from others: it needs a key. */
  readonly canBeApproved: boolean;
};

/** Lists the senders that nobody has given a key. */
export class ListPendingUploads {
  readonly #pending: PendingSenders;

  constructor(pending: PendingSenders) {
    this.#pending = pending;
  }

  /** The last seen first, at most `MAX_PENDING`. */
  async execute(): Promise<readonly PendingView[]> {
    return (await this.#pending.list()).map(({ digest, ...sender }) => ({
      ...sender,
      canBeApproved: digest !== null,
    }));
  }
}
