import type { HookTarget } from '#domain/hooks/target.js';

/** Something that a target is told. */
export interface Message {
  /** What has happened: `observation`, `alarm`. */
  readonly event: string;
  /** The same for every attempt, so that a target which gets a message twice can tell. */
  readonly id: string;
  /** JSON. */
  readonly body: string;
  /** Facts that a command gets as variables of its environment. `station` becomes `WEATHERD_STATION`. */
  readonly facts?: Readonly<Record<string, string>>;
}

export interface FailedDelivery {
  /** The reason as a short sentence for administrators. It contains no secret and no address of a private network. */
  readonly failed: string;
  /** Seconds after which the target wants the next attempt. */
  readonly retryAfter?: number;
  /** Whether another attempt with this message fails too. */
  readonly permanent?: boolean;
}

export type DeliveryOutcome = 'delivered' | FailedDelivery;

/** Takes messages to targets. */
export interface Delivery {
  /**
   * Why no message can ever reach a target, as a short sentence for administrators; undefined if one may. The address of a name
   * is not looked up, because it may change: only `send` does.
   */
  refusal(target: HookTarget): string | undefined;
  /**
   * Makes one attempt, which takes a limited time. Never rejects. A failure of which it is not known whether the target
   * got the message is a failure.
   *
   * @param signal ends the attempt early, as a failure
   */
  send(target: HookTarget, message: Message, signal: AbortSignal): Promise<DeliveryOutcome>;
}
