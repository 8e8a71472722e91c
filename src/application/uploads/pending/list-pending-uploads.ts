import type { PendingSender } from '#domain/uploads/pending-sender.js';
import type { StationDirectory } from '../../stations/station-directory.js';
import type { PendingSenders } from './pending-senders.js';

/** A pending sender as it is shown to people: without the digest of its credentials. */
export type PendingView = Omit<PendingSender, 'digest' | 'isWrongKey'> & {
  /**
   * Whether the sender can be approved. A sender cannot be approved if its uploads have nothing that distinguishes it from other
   * senders, or have a wrong key. Such a sender needs a key.
   */
  readonly canBeApproved: boolean;
  /** Whether the sender sends a wrong key: its uploads are refused, or they have the id of an existing station. */
  readonly isWrongKey: boolean;
};

/** Lists the senders without a key, and with a wrong one. */
export class ListPendingUploads {
  readonly #directory: StationDirectory;
  readonly #pending: PendingSenders;

  constructor(directory: StationDirectory, pending: PendingSenders) {
    this.#directory = directory;
    this.#pending = pending;
  }

  /** @returns at most `MAX_PENDING` senders, the most recent first */
  async execute(): Promise<readonly PendingView[]> {
    const { byId } = await this.#directory.current();
    return (await this.#pending.list()).map(({ digest, isWrongKey = false, ...sender }) => ({
      ...sender,
      canBeApproved: digest !== null,
      isWrongKey: isWrongKey || (sender.sentId !== null && byId.has(sender.sentId)),
    }));
  }
}
