import type { Check } from '#application/ports/check.js';
import type { BucketSums } from '#domain/weather/summaries/bucket.js';
import type { SumsQuery } from '#domain/weather/summaries/sums-query.js';
import { LazyThreads, THREAD_ENDED } from '#adapters/formats/lazy-threads.js';
import { DomainError } from '#domain/domain-error.js';
import { buffersOfStep, makeStep, rowsOfPart, type StationPart, type StepAnswer } from './sum-step.js';

/** Number of threads. The SQLite store has the same number of threads for reading. */
const THREADS = 2;
/** Milliseconds after which an idle thread ends, so that its memory is freed. */
const IDLE_TIMEOUT = 60_000;
/** Approximate number of rows in a step. */
const STEP_ROWS = 32_768;

/** A thread, and the number of the questions whose sums it has. */
interface SumThread {
  readonly tasks: LazyThreads;
  questions: number;
}

/**
 * Threads that decode and sum rows. They start with the first question. A thread sums the rows of its questions by turns, a step of
 * each, so that a question about few rows does not wait for the end of others.
 */
export class SumThreads implements Check {
  readonly name = 'reading threads';
  readonly #threads: readonly SumThread[] = Array.from({ length: THREADS }, () => ({
    tasks: new LazyThreads({
      filename: new URL('./sum-worker.js', import.meta.url).href,
      maxThreads: 1,
      idleTimeout: IDLE_TIMEOUT,
      probe: makeStep({ question: 0, after: 'forget' }),
    }),
    questions: 0,
  }));
  #questions = 0;

  /**
   * Sums rows in a thread. Yields undefined after each step, so that the caller can break off, and at last the sums. Rejects with
   * DamagedDataError, or with SERVICE_UNAVAILABLE if the thread ends.
   *
   * @param parts the rows of the stations of the query, in the order of the stations
   */
  async *sum(query: SumsQuery, parts: AsyncIterable<StationPart>): AsyncGenerator<BucketSums | undefined> {
    const thread = this.#threads.reduce((least, one) => (one.questions < least.questions ? one : least));
    this.#questions += 1;
    thread.questions += 1;
    try {
      yield* sumIn(thread.tasks, { question: this.#questions, query }, parts);
    } finally {
      thread.questions -= 1;
    }
  }

  async check(): Promise<undefined> {
    for (const { tasks } of this.#threads) await tasks.check();
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map(({ tasks }) => tasks.close()));
  }
}

/** Sends the rows of a question in steps. The thread sums the rows of a step while the rows of the next one are read. */
async function* sumIn(
  thread: LazyThreads,
  { question, query }: { readonly question: number; readonly query: SumsQuery },
  parts: AsyncIterable<StationPart>,
): AsyncGenerator<BucketSums | undefined> {
  let first: SumsQuery | undefined = query;
  let some: StationPart[] = [];
  let rows = 0;
  let running: Promise<unknown> | undefined;
  /** Whether the thread has sums of the question, unless it has ended. */
  let isKept = false;
  const send = (after: 'keep' | 'answer') => {
    const step = makeStep({ question, query: first, after }, some);
    [first, some, rows] = [undefined, [], 0];
    isKept = true;
    running = thread.run(step, { transferList: buffersOfStep(step) });
    // If reading the next rows fails, nobody awaits this step. This handler prevents an unhandled rejection.
    running.catch(() => undefined);
  };
  const answer = async () => {
    const found = (await running) as Exclude<StepAnswer, 'forgotten'>;
    isKept = found === 'kept';
    if (found === 'lost') throw new DomainError('SERVICE_UNAVAILABLE', THREAD_ENDED);
    return found;
  };
  try {
    for await (const part of parts) {
      some.push(part);
      rows += rowsOfPart(part.part);
      if (rows < STEP_ROWS) continue;
      if (running !== undefined) await answer();
      send('keep');
      yield undefined;
    }
    if (running !== undefined) await answer();
    send('answer');
    yield (await answer()) as BucketSums;
  } finally {
    if (isKept) void thread.run(makeStep({ question, after: 'forget' })).catch(() => undefined);
  }
}
