import { DomainError } from '#domain/domain-error.js';
import { DeliveryQueue, type DeliveryQueueParts } from './delivery-queue.js';
import type { Outbox } from './outbox.js';

/** Maximum number of targets. Each target may have one running attempt: a connection or a process. */
export const MAX_QUEUES = 100;

/** Delivers messages. Each target has its own queue, so that a slow target does not delay the others. */
export class Dispatcher {
  readonly #parts: DeliveryQueueParts;
  readonly #queues = new Set<DeliveryQueue>();
  #isClosed = false;

  constructor(parts: DeliveryQueueParts) {
    this.#parts = parts;
  }

  /** Whether another queue can be opened. */
  get canOpen(): boolean {
    return !this.#isClosed && this.#queues.size < MAX_QUEUES;
  }

  /**
   * Starts to deliver the messages of an outbox, which contains the messages for one target. Call `DeliveryQueue.wake` after
   * messages were added later.
   *
   * @throws DomainError SERVICE_UNAVAILABLE if there are too many targets, or the service is shutting down
   */
  open(outbox: Outbox): DeliveryQueue {
    if (this.#isClosed) throw new DomainError('SERVICE_UNAVAILABLE', 'The service is shutting down.');
    if (this.#queues.size >= MAX_QUEUES)
      throw new DomainError(
        'SERVICE_UNAVAILABLE',
        `There are ${MAX_QUEUES} targets, which is the maximum: remove one of them.`,
      );
    const queue = new DeliveryQueue(outbox, this.#parts);
    this.#queues.add(queue);
    return queue;
  }

  /**
   * Ends the delivery to a target. Messages that were not delivered stay in its outbox, which contains the messages for one
   * target.
   */
  async close(queue: DeliveryQueue): Promise<void> {
    if (this.#queues.delete(queue)) await queue.close();
  }

  async closeAll(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#queues].map((queue) => this.close(queue)));
  }
}
