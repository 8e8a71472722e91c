import type { StationRules } from './quality/station-rules.js';
import { reordered } from './row-order.js';
import type { ObservationBatch } from './series.js';

type Rules = ReadonlyMap<number, StationRules>;

/** Whether rows of any station have been removed, by rules, because all rows of a commit would have to be looked at. */
const HAS_REMOVED = new WeakMap<Rules, boolean>();

/**
 * Leaves out rows of months whose rows were removed because of their age. The tables of days of these months are all that is
 * left, and a row that is sent again could not be told from one that is in them.
 */
export function withoutRemoved(batch: ObservationBatch, rules: Rules): ObservationBatch {
  let hasRemoved = HAS_REMOVED.get(rules);
  if (hasRemoved === undefined) {
    hasRemoved = [...rules.values()].some(({ removedUntil }) => removedUntil !== undefined);
    HAS_REMOVED.set(rules, hasRemoved);
  }
  if (!hasRemoved) return batch;
  const { stations, times, values, flags } = batch;
  const isKept = (row: number) => {
    const until = rules.get(stations[row] as number)?.removedUntil;
    return until === undefined || (times[row] as number) > until;
  };
  const kept = Uint32Array.from(times.keys()).filter(isKept);
  if (kept.length === times.length) return batch;
  return {
    stations: kept.map((row) => stations[row] as number),
    times: reordered(times, kept),
    values: new Map([...values].map(([variable, column]) => [variable, reordered(column, kept)])),
    flags: new Map(
      [...flags].map(([variable, column]) => [
        variable,
        kept.length > 0 ? Uint8Array.from(kept, (row) => column[row] as number) : new Uint8Array(),
      ]),
    ),
  };
}
