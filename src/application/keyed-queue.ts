interface QueueOfKey {
  /** Resolves when the most recently added work has ended. */
  last: Promise<void> | undefined;
  length: number;
}

/** Runs work of each key one after the other, in the order of the calls. Work of different keys runs at the same time. */
export class KeyedQueue {
  readonly #queues = new Map<string, QueueOfKey>();

  /** Number of calls with this key that have not ended. */
  lengthOf(key: string): number {
    return this.#queues.get(key)?.length ?? 0;
  }

  /** @returns the result of `work`; rejects with its error */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(key) ?? { last: undefined, length: 0 };
    this.#queues.set(key, queue);
    queue.length += 1;
    try {
      const result = queue.last === undefined ? work() : queue.last.then(work);
      queue.last = result.then(nothing, nothing);
      return await result;
    } finally {
      queue.length -= 1;
      if (queue.length === 0) this.#queues.delete(key);
    }
  }
}

function nothing(): void {}
