import type { HookTarget } from '#domain/hooks/hook-target.js';
import { MILLISECONDS } from '#domain/time.js';
import type { Message } from '../ports/delivery.js';

/** The messages of one target, in their order. */
export interface Outbox {
  /** Name for the log. */
  readonly name: string;
  readonly target: HookTarget;
  /** Milliseconds after its first failed attempt at which a message is given up; undefined: never. */
  readonly patience?: number;
  /** Longest time in milliseconds that the target can ask for before the next attempt; undefined: a day. */
  readonly longestRetryAfter?: number;
  /**
   * The message to deliver next; undefined if there is none. Asked before every attempt, so a message that has become
   * obsolete can be replaced. May reject; it is asked again later.
   */
  next(): Promise<Message | undefined>;
  /**
   * Takes a message out after it was delivered or given up. If this rejects, the message is delivered again.
   *
   * @param message the last one that `next` returned
   */
  done(message: Message): Promise<void>;
}

/** Milliseconds after which a message in memory is given up. */
export const PATIENCE = MILLISECONDS.day;

/** Largest number of messages of a queue. */
const MAX_QUEUED = 100;

/** Messages in memory. They are lost when the process ends. */
export class MessageQueue implements Outbox {
  readonly name: string;
  readonly target: HookTarget;
  readonly patience = PATIENCE;
  readonly #messages: Message[] = [];
  /** The last message that `next` returned, which may be on its way. */
  #current: Message | undefined;

  constructor(name: string, target: HookTarget) {
    this.name = name;
    this.target = target;
  }

  get length(): number {
    return this.#messages.length;
  }

  /**
   * Appends a message. If the queue is full, the oldest one that is not on its way is dropped, because the newest ones
   * tell the present state.
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
