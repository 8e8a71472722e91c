import { expect } from 'chai';
import sinon from 'sinon';
import { periodic, type Runnable, Runnables, together } from '../../src/composition/runnables.js';
import { rejectionOf } from '../support/rejection.js';

describe('runnables', () => {
  const log: string[] = [];
  beforeEach(() => log.splice(0));
  const named = (name: string, finished?: boolean): Runnable => ({
    start: () => log.push(`start ${name}`),
    stop: async (deadline) => {
      log.push(`stop ${name} ${deadline}`);
      return finished;
    },
  });

  it('start in order and stop in reverse order, once', async () => {
    const runnables = new Runnables();
    await runnables.start(named('one'));
    await runnables.start(together([named('two'), named('three')]));
    expect(await runnables.stop(50)).to.equal(true);
    expect(await runnables.stop(50)).to.equal(true);
    const stops = ['stop two 50', 'stop three 50', 'stop one 50'];
    expect(log).to.deep.equal(['start one', 'start two', 'start three', ...stops]);
  });

  it('report that one of them did not finish in time', async () => {
    const runnables = new Runnables();
    await runnables.start(named('one', true));
    await runnables.start(together([named('two', false), named('three', true)]));
    expect(await runnables.stop(50)).to.equal(false);
  });

  it('stop one that failed to start too, because a part of it may run', async () => {
    const runnables = new Runnables();
    const failure = new Error('the port is in use');
    const start = () => Promise.reject(failure);
    await runnables.start(named('one'));
    expect(await rejectionOf(runnables.start({ ...named('two'), start }))).to.equal(failure);
    await runnables.stop(50);
    expect(log).to.deep.equal(['start one', 'stop two 50', 'stop one 50']);
  });

  describe('periodic', () => {
    let clock: sinon.SinonFakeTimers;
    beforeEach(() => {
      clock = sinon.useFakeTimers();
    });
    afterEach(() => clock.restore());

    /** Rounds end when the test releases them or when they are aborted. */
    const rounds = (options: { atOnce?: boolean; overlapping?: boolean }) => {
      let begun = 0;
      let end = () => {};
      const work = (signal: AbortSignal) => {
        begun += 1;
        return new Promise<void>((resolve) => {
          end = resolve;
          signal.addEventListener('abort', () => resolve());
        });
      };
      const runnable = periodic({ work, interval: 100, ...options });
      return { runnable, begun: () => begun, end: () => end() };
    };

    it('begins a round after each interval, but none during another', async () => {
      const { runnable, begun, end } = rounds({});
      runnable.start();
      expect(begun()).to.equal(0);
      await clock.tickAsync(350);
      expect(begun()).to.equal(1);
      end();
      await clock.tickAsync(100);
      expect(begun()).to.equal(2);
      await runnable.stop(0);
      await clock.tickAsync(1000);
      expect(begun()).to.equal(2);
    });

    it('begins at once, and side by side, where it may', async () => {
      const { runnable, begun } = rounds({ atOnce: true, overlapping: true });
      runnable.start();
      expect(begun()).to.equal(1);
      await clock.tickAsync(250);
      expect(begun()).to.equal(3);
      await runnable.stop(0);
    });
  });
});
