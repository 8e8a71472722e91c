import { MILLISECONDS } from '../time.js';
import type { KnownInterval } from './alarm-state.js';

/**
 * The reporting interval, in milliseconds, of a station whose interval is neither given nor observed. It is an hour, because many
 * stations report every hour.
 */
const DEFAULT_INTERVAL = MILLISECONDS.hour;
/** Smallest number of rows from which an interval is computed. */
const MIN_ROWS = 4;

/**
 * The interval by which silence of a station is measured.
 *
 * @param reportingInterval `Station.reportingInterval` in seconds; null if it is unknown
 * @param times times of the last rows of the station, in ascending order
 */
export function intervalOf(reportingInterval: number | null, times: Float64Array): KnownInterval {
  if (reportingInterval !== null)
    return { milliseconds: reportingInterval * MILLISECONDS.second, source: 'station' };
  if (times.length < MIN_ROWS) return { milliseconds: DEFAULT_INTERVAL, source: 'default' };
  const gaps = times.subarray(1).map((time, index) => time - (times[index] as number));
  const median = gaps.sort()[gaps.length >>> 1] as number;
  return { milliseconds: Math.max(median, MILLISECONDS.second), source: 'observed' };
}
