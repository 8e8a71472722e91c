import type { HookTarget } from '#domain/hooks/hook-target.js';
import { MILLISECONDS } from '#domain/time.js';
import type { Message } from '../ports/delivery.js';

/** The messages of one target, in order. */
export interface Outbox {
  /** Name for the log. */
  readonly name: string;
  readonly target: HookTarget;
  /**
   * Milliseconds from the first failed attempt of a message until the message is given up. Undefined means that it is never given
   * up.
   */
  readonly giveUpAfter?: number;
  /** Maximum delay in milliseconds that the target can request before the next attempt; undefined means a day. */
  readonly maxRetryAfter?: number;
  /**
   * Returns the next message to deliver; undefined if there is no message. The queue calls this function before every attempt, so
   * that an obsolete message can be replaced. After an error, the queue calls the function again later.
   */
  next(): Promise<Message | undefined>;
  /**
   * Removes a message that was delivered or given up. If the promise rejects, the message is delivered again.
   *
   * @param message the result of the last call of `next`
   */
  done(message: Message): Promise<void>;
}

/**
 * Milliseconds from the first failed attempt of a message until the message is given up, for messages of alarms and for messages
 * in a queue in memory.
 */
export const GIVE_UP_AFTER = MILLISECONDS.day;

/** Maximum number of messages in a queue. */
const MAX_QUEUED = 100;

/** A queue of messages in memory. The messages are lost when the process ends. */
export class MessageQueue implements Outbox {
  readonly name: string;
  readonly target: HookTarget;
  readonly giveUpAfter = GIVE_UP_AFTER;
  readonly #messages: Message[] = [];
  /** The result of the last call of `next`. An attempt to send this message may be running. */
  #current: Message | undefined;

  constructor(name: string, target: HookTarget) {
    this.name = name;
    this.target = target;
  }

  get length(): number {
    return this.#messages.length;
  }

  /**
   * Appends a message. If the queue is full, the oldest message that is not being sent is dropped, because newer messages describe
   * the current state.
   *
   * @returns the dropped message
   */
  add(message: Message): Message | undefined {
    this.#messages.push(message);
    if (this.#messages.length <= MAX_QUEUED) return undefined;
    const oldest = this.#messages[0] === this.#current ? 1 : 0;
    return this.#messages.splice(oldest, 1)[0];
  }

  async next(): Promise<Message | undefined> {
    this.#current = this.#messages[0];
    return this.#current;
  }

  async done(message: Message): Promise<void> {
    if (this.#messages[0] === message) this.#messages.shift();
    this.#current = undefined;
  }
}
