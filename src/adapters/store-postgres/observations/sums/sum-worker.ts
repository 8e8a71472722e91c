import { type SumsQuery, StationsSums } from '#domain/weather/summaries/sums-query.js';
import type { BucketSums } from '#domain/weather/summaries/bucket.js';
import { transferred } from '#adapters/formats/transferred.js';
import { decodePart } from '../packed-part.js';
import { partsOfStep, type SumStep } from './sum-step.js';

interface Question {
  readonly sums: StationsSums;
  readonly variables: ReadonlySet<number> | undefined;
  /** Number of the buckets of all stations. */
  readonly buckets: number;
}

let question: Question | undefined;

/**
 * Decodes and sums the rows of a step, in a worker thread.
 *
 * @returns the sums of all buckets at the last step
 * @throws DamagedDataError
 */
export default function sum(step: SumStep): BucketSums | undefined {
  if (step.query !== undefined) question = begin(step.query);
  if (question === undefined) return undefined;
  const { sums, variables, buckets } = question;
  for (const { index, part } of partsOfStep(step)) sums.add(index, decodePart(part, variables));
  if (!step.isLast) return undefined;
  question = undefined;
  const all = sums.summaries.sums(0, buckets);
  const [first] = [...all.values()].flat();
  return transferred(all, first === undefined ? [] : [first.buffer]);
}

function begin(query: SumsQuery): Question {
  return {
    sums: new StationsSums(query),
    variables: query.columns && new Set(query.columns),
    buckets: query.stations.length * query.buckets.length,
  };
}
