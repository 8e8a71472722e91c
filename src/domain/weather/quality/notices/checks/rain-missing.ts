import { V } from '#domain/weather/variables.js';
import { dayFinding, daysBeside } from '../day-findings.js';
import { joinedFindings } from '../joined-findings.js';
import type { Finding, NoticeCheck } from '../notice-check.js';
import { MIN_NEIGHBORS } from '../reference.js';
import { medianOf } from '../robust.js';
import { rainVariable } from './rain-ratio.js';

const NUMBERS = {
  /** Days of a window, and days between the begins of two windows. */
  days: 20,
  stride: 5,
  /** Share of the days of a window with an amount, at the station and at each compared neighbor. */
  known: 0.8,
  /** Smallest median and smallest amount of the neighbors in mm, and largest share of the median. */
  median: 20,
  smallest: 8,
  share: 0.08,
} as const;

/** Finds a clogged rain gauge: the stations around had rain, and this one had almost none. */
export const rainMissing: NoticeCheck = {
  kind: 'rain_missing',
  span: 'weeks',
  source:
    'accumulation against neighbors, as in You et al. (2007) and Blenkinsop et al. (2017); numbers of the project',
  finds: `in ${NUMBERS.days} days the station has less than ${100 * NUMBERS.share} % of the median of at least ${MIN_NEIGHBORS} neighbors, which is at least ${NUMBERS.median} mm`,
  find(input) {
    const { days, own, others } = daysBeside(input, V.dailyPrecipitation);
    if (own === undefined) return [];
    const variable = rainVariable(input);
    const findings: Finding[] = [];
    for (let from = 0; from + NUMBERS.days <= own.length; from += NUMBERS.stride) {
      const to = from + NUMBERS.days;
      const amount = sumOf(own, from, to);
      const beside = others
        .map(({ number, column }) => ({ number, sum: sumOf(column, from, to) }))
        .filter(({ sum }) => !Number.isNaN(sum));
      if (Number.isNaN(amount) || beside.length < MIN_NEIGHBORS) continue;
      const amounts = beside.map(({ sum }) => sum);
      const median = medianOf(amounts);
      if (
        median < NUMBERS.median ||
        Math.min(...amounts) < NUMBERS.smallest ||
        amount > NUMBERS.share * median
      )
        continue;
      const facts = { amount, amount_of_neighbors: median };
      const comparedWith = beside.map(({ number }) => number);
      findings.push(dayFinding(input, days, { variable, from, to, facts, comparedWith }));
    }
    return joinedFindings(findings);
  },
};

/** The sum of the days `[from, to)`; NaN if too many are unknown. */
function sumOf(column: Float64Array, from: number, to: number): number {
  let [count, sum] = [0, 0];
  for (let day = from; day < to; day += 1) {
    const value = column[day] as number;
    if (Number.isNaN(value)) continue;
    count += 1;
    sum += value;
  }
  return count < NUMBERS.known * (to - from) ? Number.NaN : sum;
}
