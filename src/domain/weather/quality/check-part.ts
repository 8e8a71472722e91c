import { concatenate } from '../merge-series.js';
import { lowerBound, type Series } from '../series.js';
import { configuredParts, stationAt } from '../station-history.js';
import type { Station } from '../station.js';
import { changedFlags } from './changed-flags.js';
import type { Neighbor } from './neighbor.js';
import { applyOverrides, type QualityOverride } from './override.js';
import { recheckRange } from './recheck-range.js';
import { rulesOf } from './station-rules.js';

/** Everything on which the verdicts on a part of a station's rows depend. It is plain data, so that a thread can check the part. */
export interface PartToCheck {
  readonly station: Station;
  /** The times `[from, to)` of the part, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly range: { readonly from: number; readonly to: number };
  /**
   * The stored rows with their flags, from `CHECK_REACH` before the part to `CHECK_REACH` after it. Each series ends before the
   * next series begins.
   */
  readonly stored: readonly Series[];
  readonly neighbors: readonly NearbyRows[];
  readonly overrides: readonly QualityOverride[];
}

/** A station near the checked station, with its rows of the same times. */
export interface NearbyRows {
  readonly station: Station;
  /** Distance to the checked station in meters. */
  readonly distance: number;
  readonly series: Series;
}

/**
 * Checks the rows of a part. Each row is checked with the settings that the station had at the time of the row.
 *
 * @returns the values whose flags differ from their stored flags, with their new flags; undefined if no flag differs
 */
export function checkPart({
  station,
  range,
  stored: parts,
  neighbors,
  overrides,
}: PartToCheck): Series | undefined {
  const stored = concatenate(parts);
  const flags = new Map<number, Uint8Array>();
  for (const [from, to, then] of configuredParts(station, range.from, range.to)) {
    const others = isWhereItIsNow(station, then)
      ? neighbors.flatMap((nearby) => neighborAt(nearby, then, from))
      : [];
    const found = recheckRange(stored, { from, to }, rulesOf(then), others);
    const [first, end] = [lowerBound(stored.times, from), lowerBound(stored.times, to)];
    for (const [variable, bytes] of found) {
      const all = flags.get(variable) ?? new Uint8Array(stored.times.length);
      flags.set(variable, all);
      all.set(bytes.subarray(first, end), first);
    }
  }
  applyOverrides(stored, flags, overrides);
  return changedFlags(stored, flags, range);
}

/**
 * Describes a neighbor as the station `seenFrom` sees it, with the settings that the neighbor had at `time`.
 *
 * @returns a list that contains only the neighbor; an empty list if the neighbor had another position at `time` than now
 */
function neighborAt(
  { station, distance, series }: NearbyRows,
  seenFrom: Station,
  time: number,
): readonly Neighbor[] {
  const then = stationAt(station, time);
  if (!isWhereItIsNow(station, then)) return [];
  const isKnown = then.elevation !== null && seenFrom.elevation !== null;
  const higher = isKnown ? (then.elevation ?? 0) - (seenFrom.elevation ?? 0) : null;
  return [{ distance, higher, series, rules: rulesOf(then) }];
}

function isWhereItIsNow(now: Station, then: Station): boolean {
  return then.latitude === now.latitude && then.longitude === now.longitude;
}
