import { ProtocolError } from '../errors.js';

export interface BulkLimits {
  /** Bulk requests that are served at a time. */
  readonly served: number;
  /** Those that may wait for their turn; their bodies are not read until then. */
  readonly waiting: number;
  /** Milliseconds that one waits at most. */
  readonly patience: number;
  /** Bytes of frames that are coming in, of all requests together. */
  readonly memory: number;
}

export const BULK_GATE: BulkLimits = { served: 128, waiting: 128, patience: 10_000, memory: 256 * 2 ** 20 };

/** What a bulk request holds of what they share. */
export interface Place {
  /** Counts bytes of a frame that is coming in. @throws ProtocolError BULK_REQUESTS_TOO_MANY when they are too many */
  hold(bytes: number): void;
  /** Gives back the bytes of a frame. */
  release(bytes: number): void;
  /** Gives back everything. Calling it twice does nothing. */
  leave(): void;
}

/** Lets so many bulk requests in and has others wait, and bounds the memory that they hold. */
export class BulkGate {
  readonly #limits: BulkLimits;
  readonly #waiting = new Set<() => void>();
  #served = 0;
  #held = 0;

  constructor(limits = BULK_GATE) {
    this.#limits = limits;
  }

  /**
   * Resolves when it is this one's turn. The place is given back by itself when the client leaves.
   *
   * @param signal fires when nobody waits for the reply any more
   * @throws ProtocolError BULK_REQUESTS_TOO_MANY
   */
  async enter(signal: AbortSignal): Promise<Place> {
    signal.throwIfAborted();
    if (this.#served >= this.#limits.served) await this.#wait(signal);
    else this.#served += 1;
    const place = this.#place();
    signal.addEventListener('abort', () => place.leave(), { once: true });
    if (signal.aborted) place.leave();
    return place;
  }

  #place(): Place {
    let isInside = true;
    let held = 0;
    return {
      hold: (bytes) => {
        // Whoever has left still takes apart what had come in; nobody would give this back.
        if (!isInside) return;
        if (this.#held + bytes > this.#limits.memory) {
          throw tooMany(`Bulk requests hold ${this.#held} of ${this.#limits.memory} bytes already.`);
        }
        this.#held += bytes;
        held += bytes;
      },
      release: (bytes) => {
        const given = Math.min(bytes, held);
        this.#held -= given;
        held -= given;
      },
      leave: () => {
        if (!isInside) return;
        isInside = false;
        this.#held -= held;
        held = 0;
        this.#leave();
      },
    };
  }

  #wait(signal: AbortSignal): Promise<void> {
    const { served, waiting, patience } = this.#limits;
    if (this.#waiting.size >= waiting) throw tooMany(`There are ${served + waiting} bulk requests already.`);
    return new Promise((resolve, reject) => {
      const give = () => {
        end();
        resolve();
      };
      const abandon = () => {
        end();
        reject(signal.reason as Error);
      };
      const timer = setTimeout(() => {
        end();
        reject(tooMany(`${served} bulk requests are being served, and none has ended.`));
      }, patience);
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abandon);
        this.#waiting.delete(give);
      };
      signal.addEventListener('abort', abandon, { once: true });
      this.#waiting.add(give);
    });
  }

  /** Whoever waits for longest takes the place. */
  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#served -= 1;
    else next();
  }
}

function tooMany(message: string): ProtocolError {
  return new ProtocolError('BULK_REQUESTS_TOO_MANY', message, { 'retry-after': '1' });
}
