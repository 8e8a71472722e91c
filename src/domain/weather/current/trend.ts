import { MILLISECONDS } from '../../time.js';
import { lowerBound, type Series } from '../series.js';
import { V } from '../variables.js';

/** Milliseconds between the two values of a trend, as for the pressure tendency (WMO-No. 306, Manual on Codes, FM 12, group 5appp). */
export const TREND_TIME = 3 * MILLISECONDS.hour;
/** Largest difference in milliseconds between `TREND_TIME` and the time between the two values. */
export const TREND_TOLERANCE = 30 * MILLISECONDS.minute;

/** The variables whose values change slowly, so that the difference of two values is a trend. */
export const TREND_VARIABLES: readonly number[] = [
  V.temperature,
  V.dewPoint,
  V.humidity,
  V.pressure,
  V.seaLevelPressure,
];

/** Two values of a variable. Times are in milliseconds since 1970-01-01T00:00:00Z. */
export interface Trend {
  readonly time: number;
  readonly value: number;
  readonly earlierTime: number;
  readonly earlierValue: number;
}

/**
 * Returns two values that passed quality control: the newest value, if it is not older than `TREND_TIME`, and an earlier value.
 * The earlier value is the one whose time is nearest to the time of the newest value minus `TREND_TIME`.
 *
 * @param series rows up to `now`
 * @returns null if one of the two values is missing
 */
export function trendOf({ times, values, flags }: Series, variable: number, now: number): Trend | null {
  const column = values.get(variable);
  const bytes = flags.get(variable);
  if (column === undefined) return null;
  const isPassing = (row: number) => !Number.isNaN(column[row]) && (bytes?.[row] ?? 0) === 0;
  const oldest = lowerBound(times, now - TREND_TIME);
  let newest = times.length - 1;
  while (newest >= oldest && !isPassing(newest)) newest -= 1;
  if (newest < oldest) return null;
  const wanted = (times[newest] as number) - TREND_TIME;
  let nearest: number | undefined;
  const distance = (row: number) => Math.abs((times[row] as number) - wanted);
  for (let row = lowerBound(times, wanted - TREND_TOLERANCE); row < newest; row += 1) {
    if ((times[row] as number) > wanted + TREND_TOLERANCE) break;
    if (isPassing(row) && (nearest === undefined || distance(row) < distance(nearest))) nearest = row;
  }
  if (nearest === undefined) return null;
  return {
    time: times[newest] as number,
    value: column[newest] as number,
    earlierTime: times[nearest] as number,
    earlierValue: column[nearest] as number,
  };
}
