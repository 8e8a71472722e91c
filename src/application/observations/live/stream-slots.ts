import { DomainError } from '#domain/domain-error.js';

/** Maximum number of event streams of an instance. The other connections remain free for requests. */
const MAX_STREAMS = 3000;
/** Maximum number of event streams of a network. A network can be a household or an office, with one stream for each browser. */
const MAX_STREAMS_OF_NETWORK = 100;
/** Seconds after which a refused client should try again. */
const RETRY_AFTER = 30;

/** Limits the number of event streams. */
export class StreamSlots {
  readonly #counts = new Map<string, number>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /**
   * @param network network of the caller
   * @returns the function that releases the slot; a second call does nothing
   * @throws DomainError RATE_LIMITED, SERVICE_UNAVAILABLE
   */
  acquire(network: string): () => void {
    const ofNetwork = this.#counts.get(network) ?? 0;
    if (ofNetwork >= MAX_STREAMS_OF_NETWORK) {
      const message = `This network has ${MAX_STREAMS_OF_NETWORK} event streams, which is the maximum. Close some of them.`;
      throw new DomainError('RATE_LIMITED', message, { retryAfter: RETRY_AFTER, quota: 'streams' });
    }
    if (this.#count >= MAX_STREAMS) {
      const message = `The service has ${MAX_STREAMS} event streams, which is the maximum. Try again later.`;
      throw new DomainError('SERVICE_UNAVAILABLE', message, { retryAfter: RETRY_AFTER });
    }
    this.#count += 1;
    this.#counts.set(network, ofNetwork + 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#count -= 1;
      const remaining = (this.#counts.get(network) as number) - 1;
      if (remaining > 0) this.#counts.set(network, remaining);
      else this.#counts.delete(network);
    };
  }
}
