import { percentile } from '#domain/weather/climate/usual.js';
import { V } from '#domain/weather/variables.js';
import { joinedFindings } from '../joined-findings.js';
import type { Finding, NoticeCheck, NoticeInput } from '../notice-check.js';
import { MIN_NEIGHBORS } from '../reference.js';
import { momentsOf } from '../robust.js';

const NUMBERS = {
  /** Hours of a window, and hours between the begins of two windows. Still air under clouds lasts two days. */
  window: 60,
  stride: 3,
  /** Smallest number of hours with a value. */
  hours: 45,
  /** Percentile of the standard deviations of the station's own windows, and the largest reported share of it. */
  usual: 0.2,
  share: 0.18,
  /** Smallest number of windows, about two months, from which this percentile is computed. */
  windows: 500,
  variables: [V.temperature, V.dewPoint, V.pressure, V.seaLevelPressure],
} as const;

/** Finds a sensor without neighbors that shows hardly more than noise: it varies much less than in its own quiet times. */
export const lowVariabilityAlone: NoticeCheck = {
  kind: 'low_variability',
  span: 'weeks',
  source:
    "HadISD (Dunn et al., 2012 and 2016), unusual variance against the station's own; numbers of the project",
  finds: `with fewer than ${MIN_NEIGHBORS} neighbors: the standard deviation of ${NUMBERS.window} hours is below ${100 * NUMBERS.share} % of the ${100 * NUMBERS.usual}th percentile of all such times of the station`,
  find({ own, neighbors }: NoticeInput): readonly Finding[] {
    return NUMBERS.variables.flatMap((variable) => {
      const column = own.columns.get(variable);
      const others = neighbors.filter(({ table }) => table.columns.has(variable));
      if (column === undefined || others.length >= MIN_NEIGHBORS) return [];
      const windows: { readonly from: number; readonly deviation: number }[] = [];
      for (let from = 0; from + NUMBERS.window <= own.hours; from += NUMBERS.stride) {
        const { count, deviation } = momentsOf(column, from, from + NUMBERS.window);
        if (count >= NUMBERS.hours) windows.push({ from, deviation });
      }
      if (windows.length < NUMBERS.windows) return [];
      const sorted = Float64Array.from(windows, ({ deviation }) => deviation).sort();
      const usual = percentile(sorted, NUMBERS.usual);
      const findings = windows.flatMap(({ from, deviation }): Finding[] => {
        if (deviation >= NUMBERS.share * usual) return [];
        const facts = { deviation, usual_deviation: usual };
        return [{ variable, from, to: from + NUMBERS.window, facts, comparedWith: [] }];
      });
      return joinedFindings(findings);
    });
  },
};
