import type { Overrule } from '#domain/weather/quality/overrule.js';

/** The overrules of administrators. Every method may reject with STORE_UNAVAILABLE. */
export interface OverruleStore {
  /** Adds an overrule, and requests judging of its range, in one transaction. */
  add(overrule: Overrule): Promise<void>;
  /** Those of a station in the order in which they were made. */
  list(station: number): Promise<readonly Overrule[]>;
  /**
   * Removes an overrule of a station, and requests judging of its range, in one transaction.
   *
   * @returns the removed one; undefined if there was none with this id
   */
  remove(station: number, id: string): Promise<Overrule | undefined>;
}
