import type { HookTarget } from '#domain/hooks/hook-target.js';
import type { PersonalMessage, SentWeather } from './target-kind.js';

/** A message to a target, which is the receiver of the messages of a hook or an alarm: for example a URL or a command. */
export interface Message {
  /** Kind of the event: `observation`, `alarm`. */
  readonly event: string;
  /** Id of the message. It is the same for every attempt, so that a target can recognize a repeated message. */
  readonly id: string;
  /** The message in JSON. */
  readonly body: string;
  /** Values that a command gets as environment variables: `station` becomes `WEATHERD_STATION`. */
  readonly facts?: Readonly<Record<string, string>>;
  /** The row of the message, for services that receive weather. */
  readonly weather?: SentWeather;
  /** The message in words, for services that receive messages for people. */
  readonly personal?: PersonalMessage;
}

export interface FailedDelivery {
  /** The reason as a short sentence for administrators. It contains no secret and no address of a private network. */
  readonly failed: string;
  /** Seconds after which the target accepts the next attempt. */
  readonly retryAfter?: number;
  /** Whether every further attempt with this message would fail too. */
  readonly permanent?: boolean;
}

export type DeliveryOutcome = 'delivered' | FailedDelivery;

/** A request and its reply as text for administrators, shortened and without secrets. */
export interface RecordedExchange {
  readonly sent: string;
  /** The reply, or the reason why there is none. */
  readonly received: string;
}

/** Sends messages to the targets of hooks and alarms. */
export interface Delivery {
  /**
   * The reason why no message of a hook or an alarm can ever reach a target, as a short sentence for administrators; undefined if a
   * message may reach it. Only `send` looks up the address of a host name, because the address may change.
   */
  refusal(target: HookTarget, owner: 'hook' | 'alarm'): string | undefined;
  /**
   * Makes one attempt, which takes a limited time. Never rejects. If it is unknown whether the target received the message,
   * the attempt has failed.
   *
   * @param signal ends the attempt early, as a failure
   * @param record called with each request of the attempt and its reply
   */
  send(
    target: HookTarget,
    message: Message,
    signal: AbortSignal,
    record?: (exchange: RecordedExchange) => void,
  ): Promise<DeliveryOutcome>;
}
