import { ProtocolError } from '../errors.js';

/** Bulk requests that are served at a time: each holds a frame, and those that are slow should not keep the others out. */
const MOST_SERVED = 64;
/** Those that may wait for their turn; their bodies are not read until then. */
const MOST_WAITING = 64;

/** Lets so many bulk requests in and has others wait. */
export class BulkGate {
  readonly #mostServed: number;
  readonly #mostWaiting: number;
  readonly #waiting = new Set<() => void>();
  #served = 0;

  constructor(mostServed = MOST_SERVED, mostWaiting = MOST_WAITING) {
    this.#mostServed = mostServed;
    this.#mostWaiting = mostWaiting;
  }

  /**
   * Resolves when it is this one's turn, to what ends it; calling that twice does nothing.
   *
   * @param signal fires when nobody waits for the reply any more
   * @throws ProtocolError BULK_REQUESTS_TOO_MANY
   */
  async enter(signal: AbortSignal): Promise<() => void> {
    if (this.#served >= this.#mostServed) await this.#wait(signal);
    else this.#served += 1;
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      this.#leave();
    };
  }

  #wait(signal: AbortSignal): Promise<void> {
    if (this.#waiting.size >= this.#mostWaiting) {
      const most = this.#mostServed + this.#mostWaiting;
      throw new ProtocolError('BULK_REQUESTS_TOO_MANY', `There are ${most} bulk requests already.`, {
        'retry-after': '1',
      });
    }
    return new Promise((resolve, reject) => {
      const give = () => {
        signal.removeEventListener('abort', abandon);
        resolve();
      };
      const abandon = () => {
        this.#waiting.delete(give);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', abandon, { once: true });
      this.#waiting.add(give);
    });
  }

  /** Whoever waits for longest takes the place. */
  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#served -= 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
