import { type SumsQuery, StationsSums } from '#domain/weather/summaries/sums-query.js';
import { transferred } from '#adapters/formats/transferred.js';
import { decodePart } from '../packed-part.js';
import { partsOfStep, type StepAnswer, type SumStep } from './sum-step.js';

interface Question {
  readonly sums: StationsSums;
  readonly variables: ReadonlySet<number> | undefined;
  /** Number of the buckets of all stations. */
  readonly buckets: number;
}

const questions = new Map<number, Question>();

/**
 * Decodes and sums the rows of a step, in a worker thread.
 *
 * @throws DamagedDataError
 */
export default function sum(step: SumStep): StepAnswer {
  if (step.query !== undefined) questions.set(step.question, begin(step.query));
  if (step.after === 'forget') {
    questions.delete(step.question);
    return 'forgotten';
  }
  const question = questions.get(step.question);
  if (question === undefined) return 'lost';
  const { sums, variables, buckets } = question;
  for (const { index, part } of partsOfStep(step)) sums.add(index, decodePart(part, variables));
  if (step.after === 'keep') return 'kept';
  questions.delete(step.question);
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
