import type { QualityOverride } from '#domain/weather/quality/override.js';

/** The overrides of administrators. Every method may reject with STORE_UNAVAILABLE. */
export interface OverrideStore {
  /** Adds an override, and requests judging of its range, in one transaction. */
  add(override: QualityOverride): Promise<void>;
  /** Those of a station in the order in which they were made. */
  list(station: number): Promise<readonly QualityOverride[]>;
  /**
   * Removes an override of a station, and requests judging of its range, in one transaction.
   *
   * @returns the removed one; undefined if there was none with this id
   */
  remove(station: number, id: string): Promise<QualityOverride | undefined>;
}
