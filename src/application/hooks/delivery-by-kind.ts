import type { HookTarget } from '#domain/hooks/hook-target.js';
import type { Delivery, DeliveryOutcome, Message, RecordedExchange } from '../ports/delivery.js';
import type { TargetKinds, TargetOwner } from './target-kinds.js';

/** The adapters that send messages, by kind of the target. */
export type DeliveriesByKind = {
  readonly [K in HookTarget['kind']]: {
    send(
      target: HookTarget & { kind: K },
      message: Message,
      signal: AbortSignal,
      record?: (exchange: RecordedExchange) => void,
    ): Promise<DeliveryOutcome>;
  };
};

/** Returns the reason why no request can ever reach a URL; undefined if a request may reach the URL. */
type RefusalOfUrl = (url: URL, allowPrivate: boolean) => string | undefined;

/** Sends messages to targets of all kinds. */
export class DeliveryByKind implements Delivery {
  readonly #deliveries: DeliveriesByKind;
  readonly #kinds: TargetKinds;
  readonly #refusalOf: RefusalOfUrl;

  constructor(deliveries: DeliveriesByKind, kinds: TargetKinds, refusalOf: RefusalOfUrl) {
    this.#deliveries = deliveries;
    this.#kinds = kinds;
    this.#refusalOf = refusalOf;
  }

  refusal(target: HookTarget, owner: TargetOwner): string | undefined {
    const fault = target.kind === 'service' ? this.#kinds.faultOf(target, owner) : undefined;
    if (fault !== undefined || target.kind === 'command' || target.url === undefined) return fault;
    return this.#refusalOf(new URL(target.url), target.allowPrivate);
  }

  send(
    target: HookTarget,
    message: Message,
    signal: AbortSignal,
    record?: (exchange: RecordedExchange) => void,
  ): Promise<DeliveryOutcome> {
    const { post, command, service } = this.#deliveries;
    switch (target.kind) {
      case 'post':
        return post.send(target, message, signal, record);
      case 'command':
        return command.send(target, message, signal, record);
      case 'service':
        return service.send(target, message, signal, record);
    }
  }
}
