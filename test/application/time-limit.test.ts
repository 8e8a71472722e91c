import { expect } from 'chai';
import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { withinTime } from '#application/time-limit.js';
import { setImmediate as nextTask } from 'node:timers/promises';
import { rejectionOf } from '../support/rejection.js';

/** Work that goes on until its signal aborts. */
async function untilAborted(limit: AbortSignal): Promise<never> {
  if (!limit.aborted) await once(limit, 'abort');
  throw limit.reason;
}

describe('A time limit', () => {
  it('ends work that takes longer, also after a garbage collection', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const failed = rejectionOf(withinTime(50, new AbortController().signal, untilAborted));
    await nextTask();
    collect();
    expect(await failed).to.have.property('name', 'TimeoutError');
  });

  it('ends work when the other signal aborts, with its reason', async () => {
    const stopping = new AbortController();
    const failed = rejectionOf(withinTime(1e6, stopping.signal, untilAborted));
    stopping.abort(new Error('stopped'));
    expect(await failed).to.have.property('message', 'stopped');
    const late = rejectionOf(withinTime(1e6, stopping.signal, untilAborted));
    expect(await late).to.have.property('message', 'stopped');
  });

  it('gives the result or the error of work that ends earlier, and leaves nothing behind', async () => {
    const stopping = new AbortController();
    const limits: AbortSignal[] = [];
    const work = (end: () => Promise<string>) => (limit: AbortSignal) => {
      limits.push(limit);
      return end();
    };
    expect(
      await withinTime(
        20,
        stopping.signal,
        work(() => Promise.resolve('done')),
      ),
    ).to.equal('done');
    const error = new Error('no');
    expect(
      await rejectionOf(
        withinTime(
          20,
          stopping.signal,
          work(() => Promise.reject(error)),
        ),
      ),
    ).to.equal(error);
    await new Promise((resolve) => setTimeout(resolve, 30));
    stopping.abort();
    expect(limits.map(({ aborted }) => aborted)).to.deep.equal([false, false]);
  });
});
