interface Line {
  /** Resolves when the work that was added last has ended. */
  last: Promise<void> | undefined;
  length: number;
}

/** Runs work one at a time for each key, in the order in which it was called. Different keys do not wait for each other. */
export class KeyedQueue {
  readonly #lines = new Map<string, Line>();

  /** Number of calls with this key that have not ended. */
  lengthOf(key: string): number {
    return this.#lines.get(key)?.length ?? 0;
  }

  /** @returns what `work` returns, or rejects with */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(key) ?? { last: undefined, length: 0 };
    this.#lines.set(key, line);
    line.length += 1;
    try {
      const result = line.last === undefined ? work() : line.last.then(work);
      line.last = result.then(nothing, nothing);
      return await result;
    } finally {
      line.length -= 1;
      if (line.length === 0) this.#lines.delete(key);
    }
  }
}

function nothing(): void {}
