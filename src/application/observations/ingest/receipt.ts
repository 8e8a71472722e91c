import type { WriteCounts } from '#domain/weather/merge-series.js';
import type { Rejection } from './rejection.js';

/** A row with the station and time of an earlier row of the request. Its values are added to that row. */
export interface Repetition {
  readonly index: number;
  /** The first row with this station and time. */
  readonly first: number;
  /** Whether a value of it replaces that of an earlier row with this station and time: both have a value of the same variable. */
  readonly replaces: boolean;
}

/** The counts add up to the rows that were sent. */
export interface BulkReceipt extends WriteCounts {
  readonly rejected: number;
  /** The first of them. */
  readonly rejections: readonly Rejection[];
}

export interface Receipt extends BulkReceipt {
  readonly repeated: number;
  /** The first of them. */
  readonly repetitions: readonly Repetition[];
}

/**
 * The rows that have the station and time of an earlier one.
 *
 * @param firsts as `firstOfEach` gives them
 * @param replacing as `foldRows` gives it
 * @param most repetitions that are listed
 */
export function repetitionsOf(
  firsts: Uint32Array | undefined,
  replacing: Uint8Array | undefined,
  most: number,
): Pick<Receipt, 'repeated' | 'repetitions'> {
  const repetitions: Repetition[] = [];
  let repeated = 0;
  for (let index = 0; index < (firsts?.length ?? 0); index += 1) {
    const first = firsts?.[index] ?? index;
    if (first === index) continue;
    repeated += 1;
    if (repetitions.length < most) repetitions.push({ index, first, replaces: replacing?.[index] === 1 });
  }
  return { repeated, repetitions };
}
