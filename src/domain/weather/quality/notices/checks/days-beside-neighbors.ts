import { V } from '#domain/weather/variables.js';
import type { DatedTable } from '../dated-table.js';
import { dayFinding, daysBeside, type NeighborDays } from '../day-findings.js';
import type { Finding, NoticeCheck, NoticeInput } from '../notice-check.js';
import { MIN_NEIGHBORS } from '../reference.js';
import { deviationOf, medianOf } from '../robust.js';

const NUMBERS = {
  /** Largest number of compared neighbors, the nearest ones (Durre et al.), and days before and after a day whose values count (Durre et al.). */
  neighbors: 7,
  near: 1,
  /** Days before and after a day whose median is its usual temperature, and smallest number of values in them. */
  around: 15,
  values: 15,
  /** Smallest difference in °C between the anomaly of a day and each anomaly of the neighbors (Durre et al.). */
  temperature: 10,
  /**
   * Or: smallest difference in °C from the median of the neighbors, number of robust standard deviations of this difference (Durre et al., for
   * the residual of a regression: 8 °C and 4), and smallest difference from each of the neighbors.
   */
  median: { temperature: 10, deviations: 6, each: 5 },
  /** Difference in mm from each amount of the neighbors: `most` − `slope` · ln(smallest difference of the ranks in percent) (Durre et al.). */
  rain: { most: 269.24, slope: 45.72 },
  /** Smallest number of days with rain from which the rank of an amount is computed (Durre et al.). */
  wetDays: 20,
} as const;

/** Finds single days whose temperature no station nearby confirms. */
export const temperatureOfDayBesideNeighbors: NoticeCheck = {
  kind: 'day_unlike_neighbors',
  span: 'weeks',
  source: 'Durre et al. (2010), spatial checks of temperature of GHCN-Daily',
  finds: `a daily maximum or minimum, as a difference from its median of ${2 * NUMBERS.around + 1} days, is ${NUMBERS.temperature} °C away from that of each of at least ${MIN_NEIGHBORS} neighbors, of the same day, the day before and the day after; or ${NUMBERS.median.each} °C from each of them, and ${NUMBERS.median.temperature} °C and ${NUMBERS.median.deviations} standard deviations from their median of the same day`,
  find: (input) =>
    [V.dailyMaximum, V.dailyMinimum].flatMap((variable) => {
      const { days, own, others } = daysBeside(input, variable);
      if (own === undefined || others.length < MIN_NEIGHBORS) return [];
      const anomalies = anomaliesOf(own);
      const beside = others.map(({ number, column }) => ({ number, column: anomaliesOf(column) }));
      const residuals = anomalies.map((anomaly, day) => anomaly - medianOf(nearOf(day, beside, 0).values));
      const { temperature, deviations, each } = NUMBERS.median;
      const limit = Math.max(temperature, deviations * deviationOf(residuals));
      return findingsIn(input, days, variable, anomalies, beside, (day, near) => {
        const difference = differenceFrom(anomalies[day] as number, near);
        const residual = residuals[day] as number;
        const isFar = Math.abs(difference) >= each && Math.abs(residual) >= limit;
        if (!isFar && !(Math.abs(difference) >= NUMBERS.temperature)) return undefined;
        return { difference: Number.isNaN(residual) ? difference : residual, value: own[day] as number };
      });
    }),
};

/** Finds single days whose amount of rain no station nearby confirms. */
export const rainOfDayBesideNeighbors: NoticeCheck = {
  kind: 'day_unlike_neighbors',
  span: 'weeks',
  source: 'Durre et al. (2010), spatial corroboration check of precipitation of GHCN-Daily',
  finds: `a daily amount of rain differs from each amount of at least ${MIN_NEIGHBORS} neighbors, of the same day, the day before and the day after, by more than a limit that depends on the ranks of the amounts, and is at least ${Math.round(NUMBERS.rain.most - NUMBERS.rain.slope * Math.log(100))} mm`,
  find(input) {
    const variable = V.dailyPrecipitation;
    const { days, own, others } = daysBeside(input, variable);
    if (own === undefined || others.length < MIN_NEIGHBORS) return [];
    const ranks = ranksOf(own);
    const besideRanks = new Map(others.map(({ number, column }) => [number, ranksOf(column)]));
    return findingsIn(input, days, variable, own, others, (day, near) => {
      const difference = differenceFrom(own[day] as number, near);
      if (Math.abs(difference) < NUMBERS.rain.most - NUMBERS.rain.slope * Math.log(100)) return undefined;
      const nearRanks = nearOf(
        day,
        [...besideRanks].map(([number, column]) => ({ number, column })),
      );
      const rank = Math.abs(differenceFrom(ranks[day] as number, nearRanks.values));
      // Without ranks, or with equal ones, the limit is its largest value.
      const limit = rank >= 1 ? NUMBERS.rain.most - NUMBERS.rain.slope * Math.log(rank) : NUMBERS.rain.most;
      return Math.abs(difference) < limit
        ? undefined
        : { difference, amount: own[day] as number, largest_of_neighbors: Math.max(...near) };
    });
  },
};

function findingsIn(
  input: NoticeInput,
  days: DatedTable,
  variable: number,
  own: Float64Array,
  others: readonly NeighborDays[],
  factsOf: (day: number, near: readonly number[]) => Finding['facts'] | undefined,
): Finding[] {
  const findings: Finding[] = [];
  for (const [day, value] of own.entries()) {
    if (Number.isNaN(value)) continue;
    const { stations, values } = nearOf(day, others);
    if (stations.length < MIN_NEIGHBORS) continue;
    const facts = factsOf(day, values);
    if (facts !== undefined)
      findings.push(
        dayFinding(input, days, { variable, from: day, to: day + 1, facts, comparedWith: stations }),
      );
  }
  return findings;
}

/** The values of the nearest neighbors on a day and the days around it, and the numbers of these neighbors. */
function nearOf(
  day: number,
  others: readonly NeighborDays[],
  around: number = NUMBERS.near,
): { stations: number[]; values: number[] } {
  const stations: number[] = [];
  const values: number[] = [];
  for (const { number, column } of others) {
    if (stations.length === NUMBERS.neighbors) break;
    let isKnown = false;
    for (let near = day - around; near <= day + around; near += 1) {
      const value = column[near] ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      values.push(value);
      isKnown = true;
    }
    if (isKnown) stations.push(number);
  }
  return { stations, values };
}

/** The smallest difference from other values; 0 if some are above and some are below. NaN without values. */
function differenceFrom(value: number, others: readonly number[]): number {
  if (others.length === 0) return Number.NaN;
  const [least, most] = [Math.min(...others), Math.max(...others)];
  if (value > most) return value - most;
  return value < least ? value - least : 0;
}

function anomaliesOf(column: Float64Array): Float64Array {
  return column.map((value, day) => {
    const [from, to] = [Math.max(0, day - NUMBERS.around), Math.min(column.length, day + NUMBERS.around + 1)];
    let count = 0;
    for (let near = from; near < to; near += 1) if (!Number.isNaN(column[near])) count += 1;
    return count < NUMBERS.values ? Number.NaN : value - medianOf(column, from, to);
  });
}

/** For each amount its rank in percent among the days with rain; 0 for a dry day. NaN if there are too few days with rain. */
function ranksOf(column: Float64Array): Float64Array {
  const wet = column.filter((value) => value > 0).sort();
  if (wet.length < NUMBERS.wetDays) return column.map(() => Number.NaN);
  const rankOf = new Map<number, number>();
  for (const [index, value] of wet.entries()) rankOf.set(value, (100 * (index + 1)) / wet.length);
  return column.map((value) => (value > 0 ? (rankOf.get(value) as number) : value));
}
