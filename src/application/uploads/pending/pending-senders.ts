import type { PendingSender } from '../../../domain/uploads/pending-sender.js';

/** The list of pending senders. */
export class PendingSenders {
  /** The last seen first. */
  list(): Promise<readonly PendingSender[]> {
    throw new Error('not built');
  }

  /** Removes a sender from the list. */
  remove(_id: string): Promise<void> {
    throw new Error('not built');
  }
}
