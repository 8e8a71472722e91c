import { V } from '#domain/weather/variables.js';
import { dayFinding, daysBeside, type NeighborDays } from '../day-findings.js';
import type { Finding, NoticeCheck, NoticeInput } from '../notice-check.js';
import { MIN_NEIGHBORS } from '../reference.js';
import { medianOf } from '../robust.js';

const NUMBERS = {
  /** Days of a block whose amounts are compared. It is longer than the passage of a front and than the differences between hours of observation. */
  block: 5,
  /** Smallest median of the neighbors in a block in mm. */
  wet: 3,
  /** Amount in mm that is added to both amounts of a ratio, so that small amounts count less. */
  added: 1,
  /** Largest logarithm of a ratio, as a difference from its median, so that no single block decides. */
  largest: 1.2,
  /** Smallest number of compared blocks in a changed time, and of all other blocks. */
  blocks: 10,
  others: 12,
  /** Largest share of the compared blocks in a changed time. A longer one is what is usual. */
  share: 0.5,
  /** Smallest factor that is reported, and Student's t of the change. */
  factor: 1.5,
  t: 4.2,
  /** The change must exceed the change of each neighbor in the same time by this factor. */
  beyond: 1.15,
  /** Largest number of changed times in the compared time. */
  times: 4,
} as const;

/** Finds a rain gauge that counts too much or too little: its share of the amounts around has changed for a time. */
export const rainRatio: NoticeCheck = {
  kind: 'rain_ratio',
  span: 'weeks',
  source:
    'double-mass analysis, WMO-No. 168 (Guide to Hydrological Practices); change of the mean for a time, Levin and Kline (1985); numbers of the project',
  finds: `for at least ${NUMBERS.blocks} rainy periods of ${NUMBERS.block} days the amount, as a share of the median of at least ${MIN_NEIGHBORS} neighbors, is more than ${NUMBERS.factor} times its share at other times or less than its ${NUMBERS.factor}th part, the change has a Student's t of ${NUMBERS.t}, and no neighbor changes as much`,
  find(input) {
    const { days, own, others } = daysBeside(input, V.dailyPrecipitation);
    if (own === undefined || others.length < MIN_NEIGHBORS) return [];
    const { ratios, besides } = ratiosOf(own, others);
    const findings: Finding[] = [];
    const rest = ratios.slice();
    for (let time = 0; time < NUMBERS.times; time += 1) {
      const change = largestChange(rest);
      if (change === undefined || Math.abs(change.difference) < Math.log(NUMBERS.factor)) break;
      const { from, to, difference } = change;
      // The next search does not find this time again.
      for (let block = from; block < to; block += 1) rest[block] = (rest[block] as number) - difference;
      const limit = Math.abs(difference) - Math.log(NUMBERS.beyond);
      const isAlone = besides.every((other) => {
        const beside = differenceIn(other, from, to);
        return Number.isNaN(beside) || Math.sign(difference) * beside < limit;
      });
      if (!isAlone) continue;
      findings.push(
        dayFinding(input, days, {
          variable: rainVariable(input),
          from: NUMBERS.block * from,
          to: NUMBERS.block * to,
          facts: factsOf(ratios, from, to),
          comparedWith: others.map(({ number }) => number),
        }),
      );
    }
    return findings.sort((a, b) => a.from - b.from);
  },
};

/** The variable that a finding about rain names: hourly amounts, or daily ones where there are no hourly ones. */
export function rainVariable({ own }: NoticeInput): number {
  return own.columns.has(V.precipitation) ? V.precipitation : V.dailyPrecipitation;
}

function factsOf(ratios: Float64Array, from: number, to: number): Finding['facts'] {
  const inside = medianOf(ratios, from, to);
  const outside = medianOf(ratios.map((ratio, block) => (block >= from && block < to ? Number.NaN : ratio)));
  return { ratio: Math.exp(inside), usual_ratio: Math.exp(outside) };
}

/**
 * For each block the logarithm of the amount as a share of the median of the neighbors, at the station and at each neighbor. NaN for a block
 * without enough rain or with unknown amounts.
 */
function ratiosOf(own: Float64Array, others: readonly NeighborDays[]) {
  const blocks = Math.floor(own.length / NUMBERS.block);
  const sumsOf = (column: Float64Array) =>
    Float64Array.from({ length: blocks }, (_, block) => sumOf(column, block));
  const sums = others.map(({ column }) => sumsOf(column));
  // Each neighbor is divided by its usual share, so that hills and missing neighbors do not change the median.
  const medians = Float64Array.from({ length: blocks }, (_, block) =>
    medianOf(sums.map((sum) => sum[block] as number)),
  );
  const logarithm = (sum: number, median: number) =>
    median >= NUMBERS.wet ? Math.log((sum + NUMBERS.added) / (median + NUMBERS.added)) : Number.NaN;
  const usual = sums.map((sum) =>
    Math.exp(medianOf(sum.map((one, block) => logarithm(one, medians[block] as number)))),
  );
  const reference = Float64Array.from({ length: blocks }, (_, block) => {
    const scaled = sums
      .map((sum, index) => (sum[block] as number) / (usual[index] as number))
      .filter((one) => !Number.isNaN(one));
    return scaled.length < MIN_NEIGHBORS ? Number.NaN : medianOf(scaled);
  });
  const clipped = (sum: Float64Array) => {
    const ratios = sum.map((one, block) => logarithm(one, reference[block] as number));
    const middle = medianOf(ratios);
    return ratios.map((ratio) =>
      Math.min(middle + NUMBERS.largest, Math.max(middle - NUMBERS.largest, ratio)),
    );
  };
  return { ratios: clipped(sumsOf(own)), besides: sums.map(clipped) };
}

/** The amount of a block; NaN if a day is unknown. */
function sumOf(column: Float64Array, block: number): number {
  let sum = 0;
  for (let day = NUMBERS.block * block; day < NUMBERS.block * (block + 1); day += 1)
    sum += column[day] as number;
  return sum;
}

interface Change {
  /** The changed blocks `[from, to)`. */
  readonly from: number;
  readonly to: number;
  /** Their mean minus the mean of all others. */
  readonly difference: number;
}

/** The time whose mean differs most surely from the mean of all other times; undefined if none does. */
function largestChange(ratios: Float64Array): Change | undefined {
  const known = [...ratios.keys()].filter((block) => !Number.isNaN(ratios[block]));
  const total = known.length;
  const sums = new Float64Array(total + 1);
  const squares = new Float64Array(total + 1);
  for (const [index, block] of known.entries()) {
    const ratio = ratios[block] as number;
    sums[index + 1] = (sums[index] as number) + ratio;
    squares[index + 1] = (squares[index] as number) + ratio * ratio;
  }
  const [sum, square] = [sums[total] as number, squares[total] as number];
  let best: Change | undefined;
  let most: number = NUMBERS.t;
  for (let from = 0; from < total; from += 1)
    for (let to = from + NUMBERS.blocks; to <= Math.min(total, from + NUMBERS.share * total); to += 1) {
      const [inside, outside] = [to - from, total - (to - from)];
      if (outside < NUMBERS.others) continue;
      const within = (sums[to] as number) - (sums[from] as number);
      const difference = within / inside - (sum - within) / outside;
      const variance =
        (square - within ** 2 / inside - (sum - within) ** 2 / outside) / (inside + outside - 2);
      const t = Math.abs(difference) / Math.sqrt(Math.max(variance, 1e-6) * (1 / inside + 1 / outside));
      if (t <= most) continue;
      most = t;
      best = { from: known[from] as number, to: (known[to - 1] as number) + 1, difference };
    }
  return best;
}

/** The mean of the blocks `[from, to)` minus the mean of all others. */
function differenceIn(ratios: Float64Array, from: number, to: number): number {
  let [inside, within, outside, without] = [0, 0, 0, 0];
  for (const [block, ratio] of ratios.entries()) {
    if (Number.isNaN(ratio)) continue;
    if (block >= from && block < to) [inside, within] = [inside + 1, within + ratio];
    else [outside, without] = [outside + 1, without + ratio];
  }
  return within / inside - without / outside;
}
