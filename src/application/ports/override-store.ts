import type { QualityOverride } from '#domain/weather/quality/override.js';

/** A change of many overrides of a station. */
export interface OverrideChange {
  /** `Station.number`. */
  readonly station: number;
  /** Ids of the overrides to remove. */
  readonly removed: readonly string[];
  readonly added: readonly QualityOverride[];
  /** The ranges to recheck, `[from, to)` in milliseconds since 1970-01-01T00:00:00Z. */
  readonly ranges: readonly { readonly from: number; readonly to: number }[];
}

/**
 * The overrides: decisions of administrators, or of the source of an import, that the values of a variable in a range of times are
 * good or bad, whatever the quality checks say. Every method may reject with STORE_UNAVAILABLE.
 */
export interface OverrideStore {
  /** Adds an override, and requests a recheck of its range, in one transaction. */
  add(override: QualityOverride): Promise<void>;
  /**
   * Removes overrides of a station and adds others, with a request for a recheck of each range, in one transaction. Overrides
   * that are not there are not removed, and overrides with an id that is there already are not added.
   */
  replace(change: OverrideChange): Promise<void>;
  /** The overrides of a station in the order in which they were added. */
  list(station: number): Promise<readonly QualityOverride[]>;
  /**
   * Removes an override of a station, and requests a recheck of its range, in one transaction.
   *
   * @returns the removed override; undefined if the station had no override with this id
   */
  remove(station: number, id: string): Promise<QualityOverride | undefined>;
}
