import type { WriteCounts } from '../../../domain/weather/merge-series.js';
import type { RefusedRow } from './numbered-observations.js';
import { MAX_REJECTIONS, type Rejection } from './refusals.js';

/** Rows as they were sent, in columns. */
export interface SentObservations {
  /** Milliseconds since 1970-01-01T00:00:00Z; NaN where none could be read. */
  readonly times: Float64Array;
  /** By name of variable; NaN for absent. */
  readonly values: ReadonlyMap<string, Float64Array>;
  /** By name of variable, where it is not the stored unit. */
  readonly units: Readonly<Record<string, string>>;
  /** What could not be read: all of it, or the first `MAX_REJECTIONS`. */
  readonly rejections: readonly Rejection[];
  /** A byte for each row, 1 where something could not be read; left out where `rejections` names all such rows. */
  readonly unreadable?: Uint8Array;
}

/** A row with the same time as an earlier row of the request. Its values replace those of the earlier row. */
export interface Repetition {
  readonly index: number;
  /** The first row with this time. */
  readonly first: number;
}

/** The five counts add up to the rows that were sent. */
export interface Receipt extends WriteCounts {
  readonly repeated: number;
  /** The first of them. */
  readonly repetitions: readonly Repetition[];
  readonly rejected: number;
  /** The first of them. */
  readonly rejections: readonly Rejection[];
}

export interface BulkReceipt extends WriteCounts {
  readonly rejected: number;
  /** The first of them. */
  readonly refused: readonly RefusedRow[];
}

/** The rows that have the time of an earlier one. @param firsts as `firstOfEach` gives them */
export function repetitionsOf(firsts: Uint32Array | undefined): Pick<Receipt, 'repeated' | 'repetitions'> {
  const repetitions: Repetition[] = [];
  let repeated = 0;
  for (let index = 0; index < (firsts?.length ?? 0); index += 1) {
    const first = firsts?.[index] ?? index;
    if (first === index) continue;
    repeated += 1;
    if (repetitions.length < MAX_REJECTIONS) repetitions.push({ index, first });
  }
  return { repeated, repetitions };
}
