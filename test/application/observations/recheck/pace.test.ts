import { expect } from 'chai';
import fc from 'fast-check';
import sinon from 'sinon';
import { pacing } from '#application/observations/recheck/pace.js';

describe('the pace of background work', () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => clock.restore());

  /** The length of the pause after the loop made the work wait. */
  async function pauseAfter(waited: number, signal?: AbortSignal): Promise<number> {
    let end: number | undefined;
    const begun = clock.now;
    void pacing(signal, async () => waited)().then(() => (end = clock.now));
    await clock.tickAsync(0);
    await clock.runAllAsync();
    return (end ?? Number.NaN) - begun;
  }

  it('pauses not at all if the loop is free, otherwise ten times as long as it waited, up to two seconds', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.constantFrom(1, 2, 3, 200, 201), fc.integer({ min: 0, max: 10_000 })),
        async (waited) => {
          expect(await pauseAfter(waited)).to.equal(waited <= 2 ? 0 : Math.min(2000, waited * 10));
        },
      ),
      { numRuns: 50 },
    );
  });

  it('ends a pause when the signal is aborted, and leaves no listener behind', async () => {
    const stopping = new AbortController();
    const warnings: Error[] = [];
    const keep = (warning: Error) => warnings.push(warning);
    process.on('warning', keep);
    const pace = pacing(stopping.signal, async () => 5);
    for (let part = 0; part < 300; part += 1) {
      const done = pace();
      await clock.tickAsync(50);
      await done;
    }
    let isDone = false;
    void pace().then(() => (isDone = true));
    await clock.tickAsync(1);
    expect(isDone).to.equal(false);
    stopping.abort();
    await clock.tickAsync(0);
    expect(isDone).to.equal(true);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', keep);
    expect(warnings).to.deep.equal([]);
  });

  it('lets other work that is ready come first', async () => {
    clock.restore();
    let others = 0;
    setImmediate(() => (others += 1));
    await pacing(undefined)();
    expect(others).to.equal(1);
  });
});
