/**
 * Keeps results that were computed from the data of stations. A result is returned only while its station has the version of the
 * computation (`StationSnapshot.version`), which differs after every change. So a result is never older than the data.
 */
export class ResultsByVersion<T extends object> {
  readonly #max: number;
  readonly #sizeOf: (result: T) => number;
  #size = 0;
  /** The results by key. The least recently used result is the first. */
  readonly #kept = new Map<string, { readonly version: string; readonly result: T }>();
  /** The results that are being computed, by key. */
  readonly #pending = new Map<string, { readonly version: string; readonly result: Promise<T> }>();

  /**
   * @param max maximum sum of the sizes of the results. A result that is larger is kept alone.
   * @param sizeOf the size of a result; by default 1, so that `max` is the number of results
   */
  constructor(max: number, sizeOf: (result: T) => number = () => 1) {
    this.#max = max;
    this.#sizeOf = sizeOf;
  }

  /** @returns undefined if no result of this version is kept */
  find(key: string, version: string): T | undefined {
    const kept = this.#kept.get(key);
    if (kept?.version !== version) return undefined;
    this.store(key, version, kept.result);
    return kept.result;
  }

  /** Keeps a result, in place of the result of an earlier version. */
  store(key: string, version: string, result: T): void {
    this.#drop(key);
    this.#kept.set(key, { version, result });
    this.#size += this.#sizeOf(result);
    for (const oldest of this.#kept.keys()) {
      if (this.#size <= this.#max || oldest === key) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    this.#kept.delete(key);
    this.#size -= this.#sizeOf(kept.result);
  }

  /**
   * Returns the kept result, or computes and keeps it. Calls at the same time share one computation, because all visitors of a
   * station need the same results after each new row.
   *
   * A computation may fail for a reason that only its own caller has: the caller has disconnected, or its network has too many
   * reads. So the other callers then compute for themselves. Rejects with the errors of `compute`, which are not kept.
   */
  async findOrCompute(key: string, version: string, compute: () => Promise<T>): Promise<T> {
    const known = this.find(key, version);
    if (known !== undefined) return known;
    const pending = this.#pending.get(key);
    if (pending?.version === version)
      return await pending.result.catch(() => this.#compute(key, version, compute));
    const started = { version, result: this.#compute(key, version, compute) };
    this.#pending.set(key, started);
    try {
      return await started.result;
    } finally {
      if (this.#pending.get(key) === started) this.#pending.delete(key);
    }
  }

  async #compute(key: string, version: string, compute: () => Promise<T>): Promise<T> {
    const result = await compute();
    this.store(key, version, result);
    return result;
  }
}
