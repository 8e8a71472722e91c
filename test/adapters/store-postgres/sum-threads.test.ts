import { expect } from 'chai';
import { Piscina } from 'piscina';
import sinon from 'sinon';
import type { SumStep } from '#adapters/store-postgres/observations/sums/sum-step.js';
import { SumThreads } from '#adapters/store-postgres/observations/sums/sum-threads.js';
import { MILLISECONDS } from '#domain/time.js';
import type { BucketSums } from '#domain/weather/summaries/bucket.js';
import { summedStation } from '#domain/weather/summaries/sums-query.js';
import { V } from '#domain/weather/variables.js';
import { JFK } from '../../contracts/stores/station-store.js';
import { domainErrorOf } from '../../support/rejection.js';

const { minute, day } = MILLISECONDS;
const START = Date.UTC(2024, 0, 1);
/** More rows than a step has, so that each part is a step of its own. */
const ROWS = 40_000;
const QUERY = {
  stations: [summedStation({ ...JFK, number: 1 })],
  buckets: [{ start: START, end: START + 365 * day }],
  variables: [V.temperature],
  columns: [V.temperature],
  includeAll: true,
};

function part(index: number, rows = ROWS) {
  const times = Float64Array.from({ length: rows }, (_, row) => START + (index * ROWS + row) * minute);
  const rest = {
    times,
    values: new Map([[V.temperature, new Float64Array(rows).fill(5)]]),
    flags: new Map(),
  };
  return { index: 0, part: { series: 1, from: -Infinity, to: Infinity, chunks: [], rest } };
}

describe('threads that sum rows', () => {
  let threads: SumThreads;
  let runs: sinon.SinonSpy<[SumStep]>;
  beforeEach(() => {
    runs = sinon.spy(Piscina.prototype, 'run') as unknown as typeof runs;
    threads = new SumThreads();
  });
  afterEach(async () => {
    await threads.close();
    sinon.restore();
  });

  const countOf = (sums: BucketSums | undefined) => sums?.get(V.temperature)?.[0]?.[0];
  /** The number of values of a question. */
  const count = async (parts: AsyncIterable<ReturnType<typeof part>>) => {
    let found: number | undefined;
    for await (const sums of threads.sum(QUERY, parts)) found = countOf(sums);
    return found;
  };
  /** Two parts. `between` runs after the first one was sent to a thread. */
  async function* interrupted(between: () => Promise<unknown>) {
    yield part(0);
    await between();
    yield part(1);
  }

  it('answer a question while others wait for rows, although these are more than the threads', async () => {
    let goOn = () => {};
    const gate = new Promise<void>((resolve) => (goOn = resolve));
    const long: Promise<number | undefined>[] = [];
    while (long.length < 4)
      await new Promise<void>((waits) => {
        const wait = () => {
          waits();
          return gate;
        };
        long.push(count(interrupted(wait)));
      });
    async function* few() {
      yield part(0, 7);
    }
    expect(await count(few())).to.equal(7);
    goOn();
    expect(await Promise.all(long)).to.deep.equal([2 * ROWS, 2 * ROWS, 2 * ROWS, 2 * ROWS]);
  });

  it('fail a question whose thread has ended between two steps, and answer the next one', async () => {
    const end = async () => {
      await runs.lastCall.returnValue;
      for (const thread of (runs.lastCall.thisValue as Piscina).threads) await thread.terminate();
    };
    const { message } = await domainErrorOf(count(interrupted(end)), 'SERVICE_UNAVAILABLE');
    expect(message).to.equal('A thread has ended or cannot start.');
    expect(await count(interrupted(() => Promise.resolve()))).to.equal(2 * ROWS);
    await threads.check();
  });

  it('forget a question that is broken off after a step or fails, and no other', async () => {
    for await (const sums of threads.sum(
      QUERY,
      interrupted(() => Promise.resolve()),
    )) {
      expect(sums).to.equal(undefined);
      break;
    }
    await count(interrupted(() => Promise.reject(new Error('planted')))).catch(() => undefined);
    expect(await count(interrupted(() => Promise.resolve()))).to.equal(2 * ROWS);
    const steps = runs.args.map(([{ question, after }]) => [question, after]);
    expect(steps).to.deep.equal([
      [1, 'keep'],
      [1, 'forget'],
      [2, 'keep'],
      [2, 'forget'],
      [3, 'keep'],
      [3, 'keep'],
      [3, 'answer'],
    ]);
    expect(await Promise.all(runs.returnValues.slice(0, 2))).to.deep.equal(['kept', 'forgotten']);
  });
});
