import { expect } from 'chai';
import fc from 'fast-check';
import sinon from 'sinon';
import { pacing } from '#application/observations/recheck/pace.js';

describe('the pace of background work', () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => clock.restore());

  /** Work of a length in ms, then pauses of which the turn takes these times. */
  async function pauseAfter(worked: number, waits: readonly number[]) {
    let [turns, end] = [0, Number.NaN];
    const pace = pacing(async () => clock.tick(waits[(turns += 1) - 1] ?? 0), undefined);
    clock.tick(worked);
    void pace().then(() => (end = clock.now));
    const begun = clock.now;
    for (let step = 0; step < 9; step += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      await clock.runAllAsync();
    }
    return { turns, pause: end - begun - waits.slice(0, turns).reduce((sum, wait) => sum + wait, 0) };
  }

  it('goes on at once if one of three waits is short, and otherwise pauses for ten times the work or the wait', async () => {
    const wait = fc.oneof(fc.constantFrom(0, 2, 3), fc.integer({ min: 0, max: 3000 }));
    const waited = fc.array(wait, { minLength: 3, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(50, 80, 300, 1500), waited, async (worked, waits) => {
        const { turns, pause } = await pauseAfter(worked, waits);
        const short = waits.findIndex((one) => one <= 2);
        expect(turns).to.equal(short === -1 ? 3 : short + 1);
        const between = 5 * (turns - 1);
        const expected = short === -1 ? Math.min(10_000, 10 * Math.max(worked, Math.min(...waits))) : 0;
        expect(pause).to.equal(between + expected);
      }),
      { numRuns: 60 },
    );
  });

  it('does not measure after short work', async () => {
    expect(await pauseAfter(49, [500, 500, 500])).to.deep.equal({ turns: 0, pause: 0 });
  });

  it('ends a pause when the signal is aborted, and leaves no listener behind', async () => {
    const stopping = new AbortController();
    const warnings: Error[] = [];
    const keep = (warning: Error) => warnings.push(warning);
    process.on('warning', keep);
    const pace = pacing(async () => clock.tick(5), stopping.signal);
    const begin = async () => {
      let isDone = false;
      clock.tick(60);
      void pace().then(() => (isDone = true));
      for (let step = 0; step < 9; step += 1) {
        await new Promise((resolve) => setImmediate(resolve));
        await clock.tickAsync(5);
      }
      return () => isDone;
    };
    for (let part = 0; part < 200; part += 1) {
      await begin();
      await clock.tickAsync(40_000);
    }
    const isDone = await begin();
    expect(isDone()).to.equal(false);
    stopping.abort();
    await clock.tickAsync(0);
    expect(isDone()).to.equal(true);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', keep);
    expect(warnings).to.deep.equal([]);
  });

  it('lets other work that is ready come first', async () => {
    for (const worked of [0, 60]) {
      let others = 0;
      const pace = pacing(() => Promise.resolve(), undefined);
      clock.tick(worked);
      setImmediate(() => (others += 1));
      await pace();
      expect(others).to.equal(1);
    }
  });
});
