import { DomainError } from '#domain/domain-error.js';
import { DeliveryQueue, type DeliveryQueueParts } from './delivery-queue.js';
import type { Outbox } from './outbox.js';

/** Largest number of targets, each of which may have one attempt under way: a connection, or a process. */
export const MAX_LANES = 100;

/** Delivers messages. Every target has a lane of its own, so a slow one delays no other. */
export class Dispatcher {
  readonly #parts: DeliveryQueueParts;
  readonly #lanes = new Set<DeliveryQueue>();
  #isClosed = false;

  constructor(parts: DeliveryQueueParts) {
    this.#parts = parts;
  }

  /** Whether another target can be opened. */
  get hasRoom(): boolean {
    return !this.#isClosed && this.#lanes.size < MAX_LANES;
  }

  /**
   * Begins to deliver the messages of an outbox. Call `Lane.wake` after messages were added later.
   *
   * @throws DomainError SERVICE_UNAVAILABLE if there are too many targets, or the service stops
   */
  open(outbox: Outbox): DeliveryQueue {
    if (this.#isClosed) throw new DomainError('SERVICE_UNAVAILABLE', 'The service stops.');
    if (this.#lanes.size >= MAX_LANES)
      throw new DomainError(
        'SERVICE_UNAVAILABLE',
        `There are ${MAX_LANES} targets already. Remove one first.`,
      );
    const queue = new DeliveryQueue(outbox, this.#parts);
    this.#lanes.add(queue);
    return queue;
  }

  /** Ends the delivery to a target. Messages that were not delivered stay in its outbox. */
  async shut(queue: DeliveryQueue): Promise<void> {
    if (this.#lanes.delete(queue)) await queue.close();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#lanes].map((queue) => this.shut(queue)));
  }
}
