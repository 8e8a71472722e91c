import type { Exchange } from '../core/request/exchange.js';

/**
 * The exchanges (requests with their replies) that have not ended, in the order of arrival. This class is a linked list and not a
 * `Set`, because a `Set` computes a hash for each object, which costs 0.3 µs for each request.
 */
export class InFlight implements Iterable<Exchange> {
  #oldest: Exchange | undefined;
  #newest: Exchange | undefined;
  #finished: (() => void) | undefined;

  add(exchange: Exchange): void {
    exchange.earlier = this.#newest;
    if (this.#newest === undefined) this.#oldest = exchange;
    else this.#newest.later = exchange;
    this.#newest = exchange;
  }

  /** Does nothing for an exchange that was not added. */
  delete(exchange: Exchange): void {
    const { earlier, later } = exchange;
    if (earlier === undefined && this.#oldest !== exchange) return;
    if (earlier === undefined) this.#oldest = later;
    else earlier.later = later;
    if (later === undefined) this.#newest = earlier;
    else later.earlier = earlier;
    exchange.earlier = undefined;
    exchange.later = undefined;
    if (this.#oldest === undefined) this.#finished?.();
  }

  /** Iterates from the oldest exchange. The current exchange may be deleted during the iteration. */
  *[Symbol.iterator](): Generator<Exchange> {
    let next: Exchange | undefined;
    for (let exchange = this.#oldest; exchange !== undefined; exchange = next) {
      next = exchange.later;
      yield exchange;
    }
  }

  /** Waits until all exchanges have ended. @returns whether they ended within `deadline` milliseconds */
  async finish(deadline: number): Promise<boolean> {
    if (this.#oldest === undefined) return true;
    let timer: NodeJS.Timeout | undefined;
    const finished = await Promise.race([
      new Promise<true>((resolve) => (this.#finished = () => resolve(true))),
      new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), deadline))),
    ]);
    clearTimeout(timer);
    return finished;
  }
}
