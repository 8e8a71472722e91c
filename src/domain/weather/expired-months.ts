import type { StationRules } from './quality/station-rules.js';
import { reordered } from './row-order.js';
import type { ObservationBatch } from './series.js';

type Rules = ReadonlyMap<number, StationRules>;

/**
 * Caches whether any station has expired months, whose old rows were removed from the store because of their age. The key is the
 * map with the rules of all stations. If no station has expired months, all rows of a commit are kept without a check of their
 * times.
 */
const HAS_EXPIRED = new WeakMap<Rules, boolean>();

/**
 * Leaves out the rows of expired months. The stored rows of such a month were removed because of their age, and only its daily
 * aggregates remain. The aggregates do not show which rows they contain. So a row of such a month that is sent again could be
 * counted twice.
 */
export function withoutExpiredRows(batch: ObservationBatch, rules: Rules): ObservationBatch {
  let hasExpired = HAS_EXPIRED.get(rules);
  if (hasExpired === undefined) {
    hasExpired = [...rules.values()].some(({ expiredUntil }) => expiredUntil !== undefined);
    HAS_EXPIRED.set(rules, hasExpired);
  }
  if (!hasExpired) return batch;
  const { stations, times, values, flags } = batch;
  const isKept = (row: number) => {
    const until = rules.get(stations[row] as number)?.expiredUntil;
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
