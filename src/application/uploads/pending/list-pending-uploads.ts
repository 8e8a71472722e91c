import type { PendingSender } from '#domain/uploads/pending-sender.js';
import type { StationDirectory } from '../../stations/station-directory.js';
import type { PendingSenders } from './pending-senders.js';

/** A pending sender as people see it. */
export type PendingView = Omit<PendingSender, 'digest'> & {
  /** Whether it can be approved. It cannot where it sends nothing that tells it from others: it needs a key. */
  readonly canBeApproved: boolean;
  /** Whether it sends the id of a station that there is, so that its key is wrong. */
  readonly isWrongKey: boolean;
};

/** Lists the senders that nobody has given a key. */
export class ListPendingUploads {
  readonly #directory: StationDirectory;
  readonly #pending: PendingSenders;

  constructor(directory: StationDirectory, pending: PendingSenders) {
    this.#directory = directory;
    this.#pending = pending;
  }

  /** The last seen first, at most `MAX_PENDING`. */
  async execute(): Promise<readonly PendingView[]> {
    const { byId } = await this.#directory.current();
    return (await this.#pending.list()).map(({ digest, ...sender }) => ({
      ...sender,
      canBeApproved: digest !== null,
      isWrongKey: sender.sentId !== null && byId.has(sender.sentId),
    }));
  }
}
