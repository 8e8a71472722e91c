import type { QualityOverride } from '#domain/weather/quality/override.js';

/**
 * The overrides: decisions of administrators that the values of a variable in a range of times are good or bad, whatever the
 * quality checks say. Every method may reject with STORE_UNAVAILABLE.
 */
export interface OverrideStore {
  /** Adds an override, and requests a recheck of its range, in one transaction. */
  add(override: QualityOverride): Promise<void>;
  /** The overrides of a station in the order in which they were added. */
  list(station: number): Promise<readonly QualityOverride[]>;
  /**
   * Removes an override of a station, and requests a recheck of its range, in one transaction.
   *
   * @returns the removed override; undefined if the station had no override with this id
   */
  remove(station: number, id: string): Promise<QualityOverride | undefined>;
}
