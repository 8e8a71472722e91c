import { ProtocolError } from '../core/errors.js';

export interface BulkLimits {
  /** Largest number of bulk requests that are served at a time: those with a frame that has come in or goes out. */
  readonly served: number;
  /** Largest number of bulk requests that wait for their turn. Their bodies are not read meanwhile. */
  readonly waiting: number;
  /** Milliseconds that one waits for its first turn at most. */
  readonly patience: number;
  /** Bytes of frames that have come in, of all requests together. */
  readonly memory: number;
}

export const BULK_GATE: BulkLimits = { served: 128, waiting: 128, patience: 10_000, memory: 256 * 2 ** 20 };

/** The part that a bulk request holds of the shared limits. */
export interface Place {
  /**
   * Resolves when it is this request's turn; at once when it is already.
   *
   * @throws ProtocolError BULK_REQUESTS_TOO_MANY. Once it has had a turn it waits for the next as long as it takes.
   */
  begin(): Promise<void>;
  /** Ends the turn, until the next `begin`: there is nothing to do before the client has sent more. */
  pause(): void;
  /** Counts bytes of a frame that have come in. @throws ProtocolError BULK_REQUESTS_TOO_MANY when they are too many */
  hold(bytes: number): void;
  /** Gives back the bytes of a frame. */
  release(bytes: number): void;
  /** Gives back everything. Calling it twice does nothing. */
  leave(): void;
}

/**
 * Serves so many bulk requests at a time and has others wait for their turn, and bounds the memory that they hold. A request
 * that waits for its client has no turn, so that slow clients do not keep others out.
 */
export class BulkGate {
  readonly #limits: BulkLimits;
  readonly #waiting = new Set<() => void>();
  #served = 0;
  #held = 0;

  constructor(limits = BULK_GATE) {
    this.#limits = limits;
  }

  /** A place whose turn has begun. @throws ProtocolError BULK_REQUESTS_TOO_MANY @see visit */
  async enter(signal: AbortSignal): Promise<Place> {
    const place = this.visit(signal);
    await place.begin();
    return place;
  }

  /**
   * A place that waits for its first turn. Everything is given back by itself when the client leaves.
   *
   * @param signal fires when nobody waits for the reply any more
   * @throws Error the reason of the signal when it has fired
   */
  visit(signal: AbortSignal): Place {
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
        // The client may have left since the turn was given.
        if (state === 'gone') this.#next();
        else state = 'served';
        signal.throwIfAborted();
      },
      pause: () => end('paused'),
      hold: (bytes) => {
        // A request whose client has left still decodes the bytes that came in. Nothing would release bytes that it holds now.
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

  /** @param limited whether there may be too many that wait, and whether the wait has an end */
  #wait(signal: AbortSignal, limited: boolean): Promise<void> {
    const { served, waiting, patience } = this.#limits;
    if (limited && this.#waiting.size >= waiting) {
      throw tooMany(`There are ${served + waiting} bulk requests already.`);
    }
    return new Promise((resolve, reject) => {
      const give = () => {
        end();
        resolve();
      };
      const abandon = () => {
        end();
        reject(signal.reason as Error);
      };
      const giveUp = () => {
        end();
        reject(tooMany(`${served} bulk requests are being served, and none has ended.`));
      };
      const timer = limited ? setTimeout(giveUp, patience) : undefined;
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abandon);
        this.#waiting.delete(give);
      };
      signal.addEventListener('abort', abandon, { once: true });
      this.#waiting.add(give);
    });
  }

  /** Ends a turn: the next is that of the request that has waited for longest. */
  #next(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#served -= 1;
    else next();
  }
}

function tooMany(message: string): ProtocolError {
  return new ProtocolError('BULK_REQUESTS_TOO_MANY', message, { 'retry-after': '1' });
}
