/** Runs parts of work at the same time, up to a limit for all callers together. */
export class SideBySide {
  #free: number;

  /** @param most maximum number of parts that run at the same time, in addition to one part of each caller */
  constructor(most: number) {
    this.#free = most;
  }

  /**
   * Runs `work` for each part, and yields the results in the order in which they arrive. Each part has at most one result that was
   * not used yet. The first error ends all parts.
   */
  async *run<P, T>(parts: Iterable<P>, work: (part: P) => AsyncGenerator<T>): AsyncGenerator<T> {
    const waiting = parts[Symbol.iterator]();
    const steps = new Map<AsyncGenerator<T>, Promise<Step<T>>>();
    const advance = (part: AsyncGenerator<T>) => {
      const step = part.next().then((result) => ({ part, result }));
      // If one part fails, nobody awaits the others. This handler prevents an unhandled rejection.
      step.catch(() => undefined);
      steps.set(part, step);
    };
    const begin = (): boolean => {
      const { done, value } = waiting.next();
      if (done !== true) advance(work(value));
      return done !== true;
    };
    let own = 0;
    try {
      begin();
      while (steps.size > 0) {
        while (this.#free > 0 && begin()) {
          this.#free -= 1;
          own += 1;
        }
        const { part, result } = await Promise.race(steps.values());
        steps.delete(part);
        if (result.done !== true) {
          advance(part);
          yield result.value;
        } else if (steps.size > 0 && own > 0) {
          own -= 1;
          this.#free += 1;
        } else begin();
      }
    } finally {
      // After an error, parts still wait for their reads. Their places become free when they have ended.
      const ended = Promise.allSettled([...steps.keys()].map((part) => part.return(undefined)));
      void ended.then(() => (this.#free += own));
    }
  }
}

interface Step<T> {
  readonly part: AsyncGenerator<T>;
  readonly result: IteratorResult<T>;
}
