import type { Target } from '../../domain/hooks/target.js';
import type { Delivery, DeliveryOutcome, Message } from '../ports/delivery.js';

/** What takes messages to the targets of each kind. */
export type Deliveries = {
  readonly [K in Target['kind']]: {
    send(target: Target & { kind: K }, message: Message, signal: AbortSignal): Promise<DeliveryOutcome>;
  };
};

/** Takes messages to targets of all kinds. */
export class DeliveryByKind implements Delivery {
  readonly #deliveries: Deliveries;

  constructor(deliveries: Deliveries) {
    this.#deliveries = deliveries;
  }

  send(target: Target, message: Message, signal: AbortSignal): Promise<DeliveryOutcome> {
    const { post, command, upload } = this.#deliveries;
    switch (target.kind) {
      case 'post':
        return post.send(target, message, signal);
      case 'command':
        return command.send(target, message, signal);
      case 'upload':
        return upload.send(target, message, signal);
    }
  }
}
