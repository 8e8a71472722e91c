import { V } from '#domain/weather/variables.js';
import { joinedFindings } from '../joined-findings.js';
import type { Finding, NoticeCheck, NoticeInput } from '../notice-check.js';
import { MIN_NEIGHBORS } from '../reference.js';
import { medianOf, momentsOf } from '../robust.js';

const NUMBERS = {
  /** Hours of a window, and hours between the begins of two windows. */
  window: 24,
  stride: 6,
  /** Smallest number of hours with a value. */
  hours: 18,
  /** Largest standard deviation as a share of the smallest one of the neighbors and of their median. */
  shareOfSmallest: 0.4,
  shareOfMedian: 0.12,
  /** The smallest median standard deviation of the neighbors, in the unit of the variable. */
  variables: new Map<number, number>([
    [V.temperature, 1],
    [V.dewPoint, 1],
    [V.pressure, 1],
    [V.seaLevelPressure, 1],
  ]),
} as const;

/** Finds a sensor that shows hardly more than noise, while the weather of the stations around changes. */
export const lowVariability: NoticeCheck = {
  kind: 'low_variability',
  span: 'weeks',
  source: 'HadISD (Dunn et al., 2012 and 2016), unusual variance; numbers of the project',
  finds: `the standard deviation of ${NUMBERS.window} hours is below ${100 * NUMBERS.shareOfMedian} % of the median of at least 3 neighbors`,
  find({ own, neighbors }: NoticeInput): readonly Finding[] {
    return [...NUMBERS.variables].flatMap(([variable, smallest]) => {
      const column = own.columns.get(variable);
      const others = neighbors.flatMap(({ number, table }) => {
        const other = table.columns.get(variable);
        return other === undefined ? [] : [{ number, other }];
      });
      if (column === undefined || others.length < MIN_NEIGHBORS) return [];
      const findings: Finding[] = [];
      for (let from = 0; from + NUMBERS.window <= own.hours; from += NUMBERS.stride) {
        const to = from + NUMBERS.window;
        const { count, deviation } = momentsOf(column, from, to);
        if (count < NUMBERS.hours) continue;
        const beside = others
          .map(({ other }) => momentsOf(other, from, to))
          .filter((one) => one.count >= NUMBERS.hours)
          .map((one) => one.deviation);
        if (beside.length < MIN_NEIGHBORS) continue;
        const median = medianOf(beside);
        if (median < smallest || deviation > NUMBERS.shareOfMedian * median) continue;
        if (deviation > NUMBERS.shareOfSmallest * Math.min(...beside)) continue;
        const facts = { deviation, deviation_of_neighbors: median };
        findings.push({ variable, from, to, facts, comparedWith: others.map(({ number }) => number) });
      }
      return joinedFindings(findings);
    });
  },
};
