import { expect } from 'chai';
import sinon from 'sinon';
import type { Check } from '#application/ports/check.js';
import { periodic, type Runnable, Runnables, thenClose, together } from '#composition/runnables.js';
import { DomainError } from '#domain/domain-error.js';
import { rejectionOf } from '../support/rejection.js';

describe('runnables', () => {
  const log: string[] = [];
  beforeEach(() => [log, watched].forEach((list) => list.splice(0)));
  const checksOf = (name: string) => [{ name, check: async () => undefined }];
  const watched: string[] = [];
  const watch = async (checks: readonly Check[]) => void watched.push(...checks.map(({ name }) => name));
  const named = (name: string, finished?: boolean): Runnable => ({
    checks: checksOf(name),
    start: () => log.push(`start ${name}`),
    stop: async (deadline) => {
      log.push(`stop ${name} ${deadline}`);
      return finished;
    },
  });

  it('start in order and stop in reverse order, once', async () => {
    const runnables = new Runnables(watch);
    await runnables.start(named('one'));
    await runnables.start(together([named('two'), named('three')]));
    expect(await runnables.stop(50)).to.equal(true);
    expect(await runnables.stop(50)).to.equal(true);
    const stops = ['stop two 50', 'stop three 50', 'stop one 50'];
    expect(log).to.deep.equal(['start one', 'start two', 'start three', ...stops]);
  });

  it('are watched once they have started, those that start together too', async () => {
    const runnables = new Runnables(watch);
    const start = () => log.push(`watched ${watched.length}`);
    await runnables.start({ ...named('one'), start });
    await runnables.start(together([named('two'), named('three')]));
    expect(log[0]).to.equal('watched 0');
    expect(watched).to.deep.equal(['one', 'two', 'three']);
  });

  it('report that one of them did not finish in time', async () => {
    const runnables = new Runnables(watch);
    await runnables.start(named('one', true));
    await runnables.start(together([named('two', false), named('three', true)]));
    expect(await runnables.stop(50)).to.equal(false);
  });

  it('stop one that failed to start too, because a part of it may run', async () => {
    const runnables = new Runnables(watch);
    const failure = new Error('the port is in use');
    const start = () => Promise.reject(failure);
    await runnables.start(named('one'));
    expect(await rejectionOf(runnables.start({ ...named('two'), start }))).to.equal(failure);
    await runnables.stop(50);
    expect(log).to.deep.equal(['start one', 'stop two 50', 'stop one 50']);
    expect(watched).to.deep.equal(['one']);
  });

  it('stop behind one that fails to stop, and throw its error afterwards', async () => {
    const failure = new Error('it hangs');
    const failing = { ...named('two'), stop: () => Promise.reject(failure) };
    const runnables = new Runnables(watch);
    for (const part of [named('one'), failing, together([failing, named('three')])])
      await runnables.start(part);
    expect(await rejectionOf(runnables.stop(50))).to.equal(failure);
    expect(log.filter((line) => line.startsWith('stop'))).to.deep.equal(['stop three 50', 'stop one 50']);
  });

  it('are closed after work, whose error is more important', async () => {
    const close = async () => void log.push('closed');
    const [fault, later] = [new Error('the disk is full'), new Error('it cannot be closed')];
    expect(await thenClose(async () => 'result', close)).to.equal('result');
    expect(await rejectionOf(thenClose(() => Promise.reject(fault), close))).to.equal(fault);
    const fail = () => Promise.reject(later);
    expect(await rejectionOf(thenClose(() => Promise.reject(fault), fail))).to.equal(fault);
    expect(await rejectionOf(thenClose(async () => 'result', fail))).to.equal(later);
    expect(log).to.deep.equal(['closed', 'closed']);
  });

  describe('periodic', () => {
    let clock: sinon.SinonFakeTimers;
    beforeEach(() => {
      clock = sinon.useFakeTimers();
    });
    afterEach(() => clock.restore());

    /** Rounds end when the test releases them or when they are aborted. */
    const rounds = (options: {
      name?: string;
      atOnce?: boolean;
      overlapping?: boolean;
      defect?: () => string | undefined;
      progress?: () => string | undefined;
      early?: (begin: () => void) => () => void;
    }) => {
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

    it('begins a round early on demand, but none during another and none after the stop', async () => {
      let demand = () => {};
      let isStopped = false;
      const early = (begin: () => void) => {
        demand = begin;
        return () => (isStopped = true);
      };
      const { runnable, begun, end } = rounds({ early });
      runnable.start();
      demand();
      demand();
      expect(begun()).to.equal(1);
      end();
      await clock.tickAsync(1);
      demand();
      expect(begun()).to.equal(2);
      await runnable.stop(0);
      expect(isStopped).to.equal(true);
    });

    describe('has a check that', () => {
      /** The result of the check: undefined, a defect, or the message of the error. */
      const resultOf = async ({ checks: [check] }: Runnable) => {
        const result = check?.check().catch((error: Error) => error);
        await clock.tickAsync(1);
        return result;
      };

      it('does not exist without a name', () => {
        expect(rounds({}).runnable.checks).to.deep.equal([]);
      });

      it('fails when the timer has stopped', async () => {
        // A sandbox of its own: the default one would bring the fake timer back when another suite restores it.
        const sandbox = sinon.createSandbox();
        const timers = sandbox.spy(globalThis, 'setInterval');
        const { runnable, end } = rounds({ name: 'cleaning' });
        runnable.start();
        sandbox.restore();
        await clock.tickAsync(290);
        end();
        expect(await resultOf(runnable)).to.equal(undefined);
        clearInterval(timers.firstCall.returnValue);
        await clock.tickAsync(300);
        expect(await resultOf(runnable))
          .to.be.instanceOf(DomainError)
          .with.property('message', 'The timer of this work has stopped.');
      });

      it('reports a defect from a round that fails until one succeeds, and the error once each', async () => {
        const failures: unknown[] = [];
        let failure: Error | undefined = new Error('the disk is full');
        const work = () => (failure ? Promise.reject(failure) : Promise.resolve());
        const onFailure = (error: unknown) => failures.push(error);
        const runnable = periodic({ name: 'cleaning', work, onFailure, interval: 100, atOnce: true });
        runnable.start();
        expect(await resultOf(runnable)).to.equal('The last round has failed. The log gives the reason.');
        expect(failures).to.deep.equal([failure]);
        failure = undefined;
        await clock.tickAsync(100);
        expect(await resultOf(runnable)).to.equal(undefined);
        expect(failures).to.have.length(1);
      });

      it('reports a defect of what the work looks after', async () => {
        let defect: string | undefined = 'A target fails.';
        const { runnable, end } = rounds({ name: 'cleaning', atOnce: true, defect: () => defect });
        runnable.start();
        end();
        expect(await resultOf(runnable)).to.equal('A target fails.');
        defect = undefined;
        expect(await resultOf(runnable)).to.equal(undefined);
      });

      it('reports a round that does not end as a defect', async () => {
        const { runnable, end } = rounds({ name: 'cleaning', atOnce: true });
        runnable.start();
        await clock.tickAsync(290);
        expect(await resultOf(runnable)).to.equal(undefined);
        await clock.tickAsync(100);
        expect(await resultOf(runnable)).to.equal('The current round takes very long.');
        end();
        expect(await resultOf(runnable)).to.equal(undefined);
      });

      it('reports the progress of a long round, which is no defect', async () => {
        let progress: string | undefined = 'Half of it is done.';
        const { runnable } = rounds({ name: 'cleaning', atOnce: true, progress: () => progress });
        runnable.start();
        await clock.tickAsync(390);
        expect(await resultOf(runnable)).to.equal(undefined);
        expect(runnable.checks[0]?.progress?.()).to.equal(progress);
        progress = undefined;
        expect(await resultOf(runnable)).to.equal('The current round takes very long.');
      });
    });
  });

  it('does not take a busy event loop for a timer that has stopped', async () => {
    const runnable = periodic({ name: 'cleaning', work: async () => undefined, interval: 100 });
    runnable.start();
    const end = performance.now() + 400;
    while (performance.now() < end);
    await runnable.checks[0]?.check();
    await runnable.stop(0);
  });
});
