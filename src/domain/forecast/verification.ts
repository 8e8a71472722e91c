import {
  type BoundSums,
  type ChanceSums,
  type ErrorSums,
  noBoundSums,
  noChanceSums,
  noErrorSums,
} from './scores.js';

/** Sums of the outcomes of one variable and one class of leads. */
export interface LeadScores {
  readonly raw: ErrorSums;
  /** The published values: corrected ones where they are better. */
  readonly corrected: ErrorSums;
  readonly persistence: ErrorSums;
  readonly bounds: BoundSums;
  /** Chances of rain, and of frost. */
  readonly rawChance: ChanceSums;
  readonly correctedChance: ChanceSums;
}

export const noScores = (): LeadScores => ({
  raw: noErrorSums(),
  corrected: noErrorSums(),
  persistence: noErrorSums(),
  bounds: noBoundSums(),
  rawChance: noChanceSums(),
  correctedChance: noChanceSums(),
});

/** Adds the sums of another time in place. */
export function addScores(sums: LeadScores, other: LeadScores): void {
  addAll(sums.raw, other.raw);
  addAll(sums.corrected, other.corrected);
  addAll(sums.persistence, other.persistence);
  addAll(sums.bounds, other.bounds);
  addChances(sums.rawChance, other.rawChance);
  addChances(sums.correctedChance, other.correctedChance);
}

/** Adds the scores of variables to others in place. Both are by number of the variable, for each class of leads. */
export function addAllScores(
  sums: Map<number, readonly LeadScores[]>,
  others: ReadonlyMap<number, readonly LeadScores[]>,
): void {
  for (const [number, leads] of others) {
    const own = sums.get(number);
    if (own === undefined) sums.set(number, leads);
    else for (const [lead, one] of leads.entries()) addScores(own[lead] as LeadScores, one);
  }
}

function addChances(sums: ChanceSums, other: ChanceSums): void {
  sums.count += other.count;
  sums.brier += other.brier;
  sums.hits += other.hits;
  sums.misses += other.misses;
  sums.falseAlarms += other.falseAlarms;
  for (const [index, [count, chances, events]] of other.bins.entries()) {
    const bin = sums.bins[index];
    if (bin === undefined) continue;
    bin[0] += count;
    bin[1] += chances;
    bin[2] += events;
  }
}

function addAll<T extends { [K in keyof T]: number }>(sums: T, other: T): void {
  for (const key of Object.keys(sums) as (keyof T)[]) sums[key] = (sums[key] + other[key]) as T[keyof T];
}
