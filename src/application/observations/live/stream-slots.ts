import { DomainError } from '#domain/domain-error.js';

/** Largest number of streams of events of an instance. The rest of its connections stays free for requests. */
const MAX_STREAMS = 3000;
/** Largest number of streams of a network. A browser needs one; a household or an office has one address. */
const MAX_STREAMS_OF_NETWORK = 100;
/** Seconds after which a refused reader should try again. */
const RETRY_AFTER = 30;

/** Limits the number of streams of events. */
export class StreamSlots {
  readonly #counts = new Map<string, number>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /**
   * @param network of the caller
   * @returns the function that gives the slot back; calling it twice does nothing
   * @throws DomainError RATE_LIMITED, SERVICE_UNAVAILABLE
   */
  take(network: string): () => void {
    const ofNetwork = this.#counts.get(network) ?? 0;
    if (ofNetwork >= MAX_STREAMS_OF_NETWORK) {
      const message = `This network has ${MAX_STREAMS_OF_NETWORK} streams of events already, which is the limit. Close some of them.`;
      throw new DomainError('RATE_LIMITED', message, { retryAfter: RETRY_AFTER, quota: 'streams' });
    }
    if (this.#count >= MAX_STREAMS) {
      const message = `The service has ${MAX_STREAMS} streams of events already, which is the limit. Try again later.`;
      throw new DomainError('SERVICE_UNAVAILABLE', message, { retryAfter: RETRY_AFTER });
    }
    this.#count += 1;
    this.#counts.set(network, ofNetwork + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#count -= 1;
      const rest = (this.#counts.get(network) as number) - 1;
      if (rest > 0) this.#counts.set(network, rest);
      else this.#counts.delete(network);
    };
  }
}
