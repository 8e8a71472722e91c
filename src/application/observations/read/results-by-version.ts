/**
 * Keeps results that were computed from the data of stations. A result is returned only while its station has the version of the
 * computation (`StationSnapshot.version`), which differs after every change. So a result is never older than the data.
 */
export class ResultsByVersion<T extends object> {
  readonly #max: number;
  /** The results by key. The least recently used result is the first. */
  readonly #kept = new Map<string, { readonly version: string; readonly result: T }>();

  /** @param max maximum number of results */
  constructor(max: number) {
    this.#max = max;
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
    this.#kept.delete(key);
    this.#kept.set(key, { version, result });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > this.#max && oldest !== undefined) this.#kept.delete(oldest);
  }

  /** Returns the kept result, or computes and keeps it. Rejects with the errors of `compute`, which are not kept. */
  async findOrCompute(key: string, version: string, compute: () => Promise<T>): Promise<T> {
    const known = this.find(key, version);
    if (known !== undefined) return known;
    const result = await compute();
    this.store(key, version, result);
    return result;
  }
}
