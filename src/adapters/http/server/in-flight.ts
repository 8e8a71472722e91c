import type { Exchange } from '../core/request/exchange.js';

/** Exchanges that have begun and not ended, in the order of arrival. */
export class InFlight implements Iterable<Exchange> {
  readonly #exchanges = new Set<Exchange>();
  #finished: (() => void) | undefined;

  add(exchange: Exchange): void {
    this.#exchanges.add(exchange);
  }

  delete(exchange: Exchange): void {
    if (this.#exchanges.delete(exchange) && this.#exchanges.size === 0) this.#finished?.();
  }

  [Symbol.iterator](): Iterator<Exchange> {
    return this.#exchanges.values();
  }

  /** Waits until there are none. @returns whether that was so within `deadline` milliseconds */
  async finish(deadline: number): Promise<boolean> {
    if (this.#exchanges.size === 0) return true;
    let timer: NodeJS.Timeout | undefined;
    const finished = await Promise.race([
      new Promise<true>((resolve) => (this.#finished = () => resolve(true))),
      new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), deadline))),
    ]);
    clearTimeout(timer);
    return finished;
  }
}
