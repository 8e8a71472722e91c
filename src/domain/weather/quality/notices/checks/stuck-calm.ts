import { V } from '#domain/weather/variables.js';
import type { Finding, NoticeCheck, NoticeInput } from '../notice-check.js';
import { referenceOf } from '../reference.js';

const NUMBERS = {
  /** Largest mean of an hour in m/s that counts as a calm. */
  calm: 0.05,
  /** Hours of calm beside neighbors, and the smallest mean of their median in this time, in m/s. */
  hoursBesideNeighbors: 36,
  blowing: 2,
  /** Hours of calm of a station alone, and how often this must exceed its longest other calm. */
  hoursAlone: 72,
  factor: 2,
} as const;

/** Finds an anemometer that no longer turns. */
export const stuckCalm: NoticeCheck = {
  kind: 'stuck_calm',
  span: 'weeks',
  source: 'WMO-No. 488 (Zahumenský, 2004), minimum variability; DeGaetano (1997), stalled anemometers',
  finds: `the wind is calm for ${NUMBERS.hoursBesideNeighbors} hours while the median of at least 3 neighbors is ${NUMBERS.blowing} m/s; without neighbors for ${NUMBERS.hoursAlone} hours and ${NUMBERS.factor} times as long as the longest other calm`,
  find({ own, neighbors }: NoticeInput): readonly Finding[] {
    const column = own.columns.get(V.windSpeed);
    if (column === undefined) return [];
    const reference = referenceOf(V.windSpeed, own.hours, neighbors);
    const calms = calmsIn(column);
    return calms.flatMap((calm): Finding[] => {
      const { from, to, hours } = calm;
      if (reference !== undefined) {
        let [count, sum] = [0, 0];
        for (let hour = from; hour < to; hour += 1) {
          const value = reference.values[hour] as number;
          if (Number.isNaN(value)) continue;
          count += 1;
          sum += value;
        }
        if (count >= hours / 2) {
          const mean = sum / count;
          if (hours < NUMBERS.hoursBesideNeighbors || mean < NUMBERS.blowing) return [];
          const facts = { calm_hours: hours, mean_of_neighbors: mean };
          return [{ variable: V.windSpeed, from, to, facts, comparedWith: reference.stations }];
        }
      }
      const longest = Math.max(0, ...calms.filter((one) => one !== calm).map((one) => one.hours));
      if (hours < NUMBERS.hoursAlone || hours < NUMBERS.factor * longest) return [];
      const facts = { calm_hours: hours, longest_other_calm_hours: longest };
      return [{ variable: V.windSpeed, from, to, facts, comparedWith: [] }];
    });
  },
};

interface Calm {
  readonly from: number;
  readonly to: number;
  /** Number of hours with a value. */
  readonly hours: number;
}

function calmsIn(column: Float64Array): Calm[] {
  const calms: Calm[] = [];
  let [from, to, hours] = [0, 0, 0];
  for (let hour = 0; hour <= column.length; hour += 1) {
    const value = column[hour] ?? Infinity;
    if (Number.isNaN(value)) continue;
    if (value <= NUMBERS.calm) {
      if (hours === 0) from = hour;
      hours += 1;
      to = hour + 1;
    } else if (hours > 0) {
      calms.push({ from, to, hours });
      hours = 0;
    }
  }
  return calms;
}
