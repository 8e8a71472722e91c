import { V } from '#domain/weather/variables.js';
import { joinedFindings } from '../joined-findings.js';
import type { Finding, NoticeCheck, NoticeInput } from '../notice-check.js';
import { MIN_NEIGHBORS } from '../reference.js';
import { medianOf } from '../robust.js';

const NUMBERS = {
  /** Days between the begins of two windows. */
  stride: 5,
  /** Share of the hours of a window with an amount, at the station and at each compared neighbor. */
  share: 0.8,
  /** A gauge that catches nothing: days, smallest median and smallest amount of the neighbors in mm, largest share of the median. */
  missing: { days: 20, median: 20, smallest: 8, share: 0.08 },
  /** A gauge that catches too much or too little: days, smallest median in mm, and the factor against the usual ratio. */
  ratio: { days: 60, median: 70, factor: 1.6, beyond: 1.2 },
} as const;

/** Finds a clogged rain gauge: the stations around had rain, and this one had almost none. */
export const rainMissing: NoticeCheck = {
  kind: 'rain_missing',
  span: 'weeks',
  source:
    'accumulation against neighbors, as in You et al. (2007) and Blenkinsop et al. (2017); numbers of the project',
  finds: `in ${NUMBERS.missing.days} days the station has less than ${100 * NUMBERS.missing.share} % of the median of at least 3 neighbors, which is at least ${NUMBERS.missing.median} mm`,
  find(input) {
    const { days, median: least, smallest, share } = NUMBERS.missing;
    const findings = windowsOf(input, days).flatMap(
      ({ from, to, sum, others, median, stations }): Finding[] => {
        if (median < least || Math.min(...others) < smallest || sum > share * median) return [];
        const facts = { amount: sum, amount_of_neighbors: median };
        return [{ variable: V.precipitation, from, to, facts, comparedWith: stations }];
      },
    );
    return joinedFindings(findings);
  },
};

/** Finds a rain gauge that counts too much or too little: its share of the amounts around has changed. */
export const rainRatio: NoticeCheck = {
  kind: 'rain_ratio',
  span: 'weeks',
  source: 'double-mass analysis, WMO-No. 168 (Guide to Hydrological Practices); numbers of the project',
  finds: `in ${NUMBERS.ratio.days} days the amount, as a share of the median of at least 3 neighbors, differs from its usual share by more than ${NUMBERS.ratio.factor} times, and is above or below all of them`,
  find(input) {
    const { median: least, factor, beyond } = NUMBERS.ratio;
    const windows = windowsOf(input, NUMBERS.ratio.days).filter(({ median }) => median >= least);
    const usualOf = usualRatios(windows);
    const findings = windows.flatMap(({ from, to, sum, others, median, stations }): Finding[] => {
      const ratio = sum / median;
      const usual = usualOf(OWN);
      const relative = ratio / usual;
      const beside = others.map((amount, index) => amount / median / usualOf(stations[index] as number));
      const isMore = relative > factor && relative > beyond * Math.max(...beside);
      const isLess = relative < 1 / factor && beyond * relative < Math.min(...beside);
      if (!isMore && !isLess) return [];
      const facts = { ratio, usual_ratio: usual, amount: sum, amount_of_neighbors: median };
      return [{ variable: V.precipitation, from, to, facts, comparedWith: stations }];
    });
    return joinedFindings(findings, ({ ratio = 1, usual_ratio: own = 1 }) => Math.sign(ratio - own));
  },
};

/** Stands for the number of the station itself. */
const OWN = -1;

/**
 * The usual amount of each station as a share of the median of the neighbors. It is 1 for all stations if the amounts of less than
 * twice the days of a window are known.
 */
function usualRatios(windows: readonly RainWindow[]): (station: number) => number {
  const ratios = new Map<number, number[]>();
  for (const { sum, others, median, stations } of windows)
    for (const [station, amount] of [
      [OWN, sum] as const,
      ...stations.map((one, index) => [one, others[index] as number] as const),
    ])
      ratios.set(station, [...(ratios.get(station) ?? []), amount / median]);
  const isKnown = windows.length * NUMBERS.stride >= 2 * NUMBERS.ratio.days;
  const usual = new Map([...ratios].map(([station, all]) => [station, isKnown ? medianOf(all) : 1]));
  return (station) => usual.get(station) ?? 1;
}

interface RainWindow {
  readonly from: number;
  readonly to: number;
  readonly sum: number;
  /** Amounts of the neighbors, their median, and their numbers. */
  readonly others: readonly number[];
  readonly median: number;
  readonly stations: readonly number[];
}

function windowsOf({ own, neighbors }: NoticeInput, days: number): RainWindow[] {
  const column = own.columns.get(V.precipitation);
  if (column === undefined) return [];
  const ownSums = new RunningSums(column);
  const others = neighbors.flatMap(({ number, table }) => {
    const other = table.columns.get(V.precipitation);
    return other === undefined ? [] : [{ number, sums: new RunningSums(other) }];
  });
  const windows: RainWindow[] = [];
  const length = 24 * days;
  for (let from = 0; from + length <= own.hours; from += 24 * NUMBERS.stride) {
    const to = from + length;
    const sum = ownSums.between(from, to);
    const beside = others.flatMap(({ number, sums }) => {
      const amount = sums.between(from, to);
      return amount === undefined ? [] : [{ number, amount }];
    });
    if (sum === undefined || beside.length < MIN_NEIGHBORS) continue;
    const amounts = beside.map(({ amount }) => amount);
    windows.push({
      from,
      to,
      sum,
      others: amounts,
      median: medianOf(amounts),
      stations: beside.map(({ number }) => number),
    });
  }
  return windows;
}

/** Sums of a column from its first hour to each hour. */
class RunningSums {
  readonly #sums: Float64Array;
  readonly #counts: Int32Array;

  constructor(column: Float64Array) {
    this.#sums = new Float64Array(column.length + 1);
    this.#counts = new Int32Array(column.length + 1);
    for (let hour = 0; hour < column.length; hour += 1) {
      const value = column[hour] as number;
      const isKnown = !Number.isNaN(value);
      this.#sums[hour + 1] = (this.#sums[hour] as number) + (isKnown ? value : 0);
      this.#counts[hour + 1] = (this.#counts[hour] as number) + (isKnown ? 1 : 0);
    }
  }

  /** The sum of the hours `[from, to)`; undefined if too many are unknown. */
  between(from: number, to: number): number | undefined {
    const count = (this.#counts[to] as number) - (this.#counts[from] as number);
    return count < NUMBERS.share * (to - from)
      ? undefined
      : (this.#sums[to] as number) - (this.#sums[from] as number);
  }
}
