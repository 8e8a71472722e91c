import type { Check } from '#application/ports/check.js';
import type { BucketSums } from '#domain/weather/summaries/bucket.js';
import type { SumsQuery } from '#domain/weather/summaries/sums-query.js';
import { LazyThreads } from '#adapters/formats/lazy-threads.js';
import { buffersOfStep, makeStep, rowsOfPart, type StationPart } from './sum-step.js';

/** Number of threads. The SQLite store has the same number of threads for reading. */
const THREADS = 2;
/** Milliseconds after which an idle thread ends, so that its memory is freed. */
const IDLE_TIMEOUT = 60_000;
/** Approximate number of rows in a step. */
const STEP_ROWS = 32_768;

/** Threads that decode and sum rows. They start with the first question, and a thread answers one question at a time. */
export class SumThreads implements Check {
  readonly name = 'reading threads';
  readonly #threads = Array.from(
    { length: THREADS },
    () =>
      new LazyThreads({
        filename: new URL('./sum-worker.js', import.meta.url).href,
        maxThreads: 1,
        idleTimeout: IDLE_TIMEOUT,
        probe: makeStep(undefined, [], false),
      }),
  );
  readonly #free = [...this.#threads];
  /** The questions that wait for a thread, in order of arrival. */
  readonly #waiting: ((thread: LazyThreads) => void)[] = [];

  /**
   * Sums rows in a thread. Waits for a free one. Rejects with DamagedDataError.
   *
   * @param parts the rows of the stations of the query, in the order of the stations
   */
  async sum(query: SumsQuery, parts: AsyncIterable<StationPart>): Promise<BucketSums> {
    const thread = this.#free.pop() ?? (await new Promise<LazyThreads>((take) => this.#waiting.push(take)));
    try {
      return await sumIn(thread, query, parts);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free.push(thread);
      else next(thread);
    }
  }

  async check(): Promise<undefined> {
    for (const thread of this.#threads) await thread.check();
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}

/** Sends the rows of a question in steps. The thread sums the rows of a step while the rows of the next one are read. */
async function sumIn(
  thread: LazyThreads,
  query: SumsQuery,
  parts: AsyncIterable<StationPart>,
): Promise<BucketSums> {
  let question: SumsQuery | undefined = query;
  let some: StationPart[] = [];
  let rows = 0;
  let running: Promise<unknown> = Promise.resolve();
  const send = (isLast: boolean) => {
    const step = makeStep(question, some, isLast);
    [question, some, rows] = [undefined, [], 0];
    running = thread.run(step, { transferList: buffersOfStep(step) });
    // If reading the next rows fails, nobody awaits this step. This handler prevents an unhandled rejection.
    running.catch(() => undefined);
  };
  for await (const part of parts) {
    some.push(part);
    rows += rowsOfPart(part.part);
    if (rows < STEP_ROWS) continue;
    await running;
    send(false);
  }
  await running;
  send(true);
  return (await running) as BucketSums;
}
