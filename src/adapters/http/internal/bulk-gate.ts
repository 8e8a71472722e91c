import { ProtocolError } from '../core/errors.js';

export interface BulkLimits {
  /**
   * Largest number of bulk requests that have a turn at the same time. A request has a turn while it processes a
   * received frame or makes one.
   */
  readonly served: number;
  /** Largest number of bulk requests that wait for their first turn. Their bodies are not read while they wait. */
  readonly waiting: number;
  /** Largest time in milliseconds that a request waits for its first turn. */
  readonly maxWait: number;
  /** Largest number of bytes in received frames, over all requests. */
  readonly memory: number;
}

export const BULK_GATE: BulkLimits = { served: 128, waiting: 128, maxWait: 10_000, memory: 256 * 2 ** 20 };

/** The share of one bulk request in the limits. */
export interface BulkPermit {
  /**
   * Resolves when the request has its turn; at once if it has it already.
   *
   * @throws ProtocolError BULK_REQUESTS_TOO_MANY, but only for the first turn. For later turns it waits without a
   *   limit.
   */
  begin(): Promise<void>;
  /** Ends the turn until the next `begin`, because the request must wait for its client. */
  pause(): void;
  /** Counts received bytes of a frame. @throws ProtocolError BULK_REQUESTS_TOO_MANY if the limit is exceeded */
  hold(bytes: number): void;
  /** Releases the bytes of a frame. */
  release(bytes: number): void;
  /** Releases everything. A second call does nothing. */
  leave(): void;
}

/**
 * Limits the number of bulk requests that are served at the same time, and their memory. Further requests wait for
 * their turn. A request that waits for its client has no turn, so that slow clients do not block others.
 */
export class BulkGate {
  readonly #limits: BulkLimits;
  readonly #waiting = new Set<() => void>();
  #served = 0;
  #held = 0;

  constructor(limits = BULK_GATE) {
    this.#limits = limits;
  }

  /** A permit whose turn has begun. @throws ProtocolError BULK_REQUESTS_TOO_MANY @see visit */
  async enter(signal: AbortSignal): Promise<BulkPermit> {
    const permit = this.visit(signal);
    await permit.begin();
    return permit;
  }

  /**
   * A permit that waits for its first turn. It is released when the client leaves.
   *
   * @param signal is aborted when the client has left
   * @throws Error the reason of `signal` if it is aborted already
   */
  visit(signal: AbortSignal): BulkPermit {
    signal.throwIfAborted();
    let state: 'paused' | 'served' | 'gone' = 'paused';
    let held = 0;
    let turns = 0;
    const release = (bytes: number) => {
      const given = Math.min(bytes, held);
      this.#held -= given;
      held -= given;
    };
    const end = (next: 'paused' | 'gone') => {
      if (state === 'served') this.#next();
      if (state !== 'gone') state = next;
    };
    const leave = () => {
      end('gone');
      release(held);
    };
    signal.addEventListener('abort', leave, { once: true });
    return {
      begin: async () => {
        if (state === 'served') return;
        if (this.#served >= this.#limits.served) await this.#wait(signal, turns === 0);
        else this.#served += 1;
        turns += 1;
        // The client may have left after the turn was given.
        if (state === 'gone') this.#next();
        else state = 'served';
        signal.throwIfAborted();
      },
      pause: () => end('paused'),
      hold: (bytes) => {
        // A request whose client has left still decodes received bytes. They are not counted, because nothing would
        // release them.
        if (state === 'gone') return;
        if (this.#held + bytes > this.#limits.memory) {
          throw tooMany(`Bulk requests hold ${this.#held} of ${this.#limits.memory} bytes already.`);
        }
        this.#held += bytes;
        held += bytes;
      },
      release,
      leave,
    };
  }

  /** @param limited whether the number of waiting requests and their time are limited */
  #wait(signal: AbortSignal, limited: boolean): Promise<void> {
    const { served, waiting, maxWait } = this.#limits;
    if (limited && this.#waiting.size >= waiting) {
      throw tooMany(`There are ${served + waiting} bulk requests already.`);
    }
    return new Promise((resolve, reject) => {
      const startTurn = () => {
        end();
        resolve();
      };
      const abandon = () => {
        end();
        reject(signal.reason as Error);
      };
      const timeOut = () => {
        end();
        reject(tooMany(`${served} bulk requests are being served, and none has ended.`));
      };
      const timer = limited ? setTimeout(timeOut, maxWait) : undefined;
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abandon);
        this.#waiting.delete(startTurn);
      };
      signal.addEventListener('abort', abandon, { once: true });
      this.#waiting.add(startTurn);
    });
  }

  /** Ends a turn and gives it to the request that has waited longest. */
  #next(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#served -= 1;
    else next();
  }
}

function tooMany(message: string): ProtocolError {
  return new ProtocolError('BULK_REQUESTS_TOO_MANY', message, { 'retry-after': '1' });
}
