/** Runs work of one name one after the other, in the order in which it was called. Different names do not wait for each other. */
export class Lanes {
  readonly #last = new Map<string, Promise<void>>();

  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name);
    const result = before === undefined ? work() : before.then(work);
    const ended = result.then(nothing, nothing);
    this.#last.set(name, ended);
    try {
      return await result;
    } finally {
      if (this.#last.get(name) === ended) this.#last.delete(name);
    }
  }
}

function nothing(): void {}
