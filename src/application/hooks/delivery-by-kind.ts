import type { HookTarget } from '#domain/hooks/hook-target.js';
import type { Delivery, DeliveryOutcome, Message } from '../ports/delivery.js';

/** The adapters that send messages, by kind of the target. */
export type DeliveriesByKind = {
  readonly [K in HookTarget['kind']]: {
    send(target: HookTarget & { kind: K }, message: Message, signal: AbortSignal): Promise<DeliveryOutcome>;
  };
};

/** Returns the reason why no request can ever reach a URL; undefined if a request may reach the URL. */
type RefusalOfUrl = (url: URL, allowPrivate: boolean) => string | undefined;

/** Sends messages to targets of all kinds. */
export class DeliveryByKind implements Delivery {
  readonly #deliveries: DeliveriesByKind;
  readonly #refusalOf: RefusalOfUrl;

  constructor(deliveries: DeliveriesByKind, refusalOf: RefusalOfUrl) {
    this.#deliveries = deliveries;
    this.#refusalOf = refusalOf;
  }

  refusal(target: HookTarget): string | undefined {
    if (target.kind === 'command' || target.url === undefined) return undefined;
    return this.#refusalOf(new URL(target.url), target.allowPrivate);
  }

  send(target: HookTarget, message: Message, signal: AbortSignal): Promise<DeliveryOutcome> {
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
