import { expect } from 'chai';
import sinon from 'sinon';
import { MergeSchedule } from '#adapters/packed-store/merge-schedule.js';
import type { MergePosition } from '#adapters/packed-store/merge-schedule.js';

/** Milliseconds of a step of a merge that has work to do. */
const PART = 1000;

describe('MergeSchedule', () => {
  const times = { interval: 100_000, retry: 1000, maxRetry: 8000, stall: 60_000 };
  let clock: sinon.SinonFakeTimers;
  let merges: number[];
  let outcome: () => Promise<MergePosition | undefined>;
  let schedule: MergeSchedule;

  beforeEach(() => {
    clock = sinon.useFakeTimers({ now: 0 });
    merges = [];
    outcome = async () => undefined;
    schedule = new MergeSchedule(() => {
      merges.push(Date.now());
      return outcome();
    }, times);
  });
  afterEach(async () => {
    const stopping = schedule.stop();
    await clock.tickAsync(PART);
    await stopping;
    clock.restore();
  });

  it('merges after the start and every hour, even without writes', async () => {
    await clock.tickAsync(250_000);
    expect(merges).to.deep.equal([1000, 101_000, 201_000]);
  });

  it('merges at once when a write asks for it, once at a time', async () => {
    let finish = () => undefined as void;
    outcome = () => new Promise((resolve) => (finish = () => resolve(undefined)));
    schedule.request();
    schedule.request();
    await clock.tickAsync(10);
    expect(merges).to.deep.equal([0]);
    finish();
    await clock.tickAsync(10);
    schedule.request();
    expect(merges).to.deep.equal([0, 20]);
    finish();
  });

  it('reports why it fails, waits longer each time, and recovers', async () => {
    outcome = () =>
      Promise.reject(new Error('The data file cannot be used.', { cause: new Error('disk full') }));
    schedule.request();
    await clock.tickAsync(20_000);
    expect(merges).to.deep.equal([0, 1000, 3000, 7000, 15_000]);
    expect(schedule.defect).to.equal('merging fails: disk full');
    schedule.request();
    expect(merges, 'a write does not shorten the wait').to.have.length(5);
    outcome = async () => undefined;
    await clock.tickAsync(4000);
    expect(schedule.defect).to.equal(undefined);
    schedule.request();
    await clock.tickAsync(0);
    expect(merges.slice(5)).to.deep.equal([23_000, 24_000]);
  });

  it('merges everything when asked to, after a merge of a write, and again if that fails', async () => {
    const scopes: unknown[] = [];
    await schedule.stop();
    let isBroken = true;
    schedule = new MergeSchedule(async (scope) => {
      scopes.push(scope);
      await new Promise((resolve) => setTimeout(resolve, 10));
      if (scope === 'all' && isBroken) throw new Error('disk full');
      return undefined;
    }, times);
    schedule.request();
    const all = schedule.run('all');
    await clock.tickAsync(20);
    await all;
    expect(scopes).to.deep.equal(['due', 'all']);
    isBroken = false;
    await clock.tickAsync(1010);
    expect(scopes).to.deep.equal(['due', 'all', 'all']);
    await clock.tickAsync(100_000);
    expect(scopes).to.deep.equal(['due', 'all', 'all', 'due']);
  });

  describe('that works in parts', () => {
    let place: MergePosition | undefined;
    beforeEach(() => {
      place = { run: 1, stations: 1 };
      outcome = () => new Promise((resolve) => setTimeout(() => resolve(place), PART));
      schedule.request();
    });
    const parts = (count: number) => clock.tickAsync(count * PART);
    /** Ends the running merge. */
    const end = async () => {
      place = undefined;
      await parts(2);
    };
    const STUCK = 'merging makes no progress';

    it('reports that it is stuck after a long time without progress, until it makes progress', async () => {
      await parts(60);
      expect(schedule.defect).to.equal(undefined);
      await parts(1);
      expect(schedule.defect).to.equal(STUCK);
      place = { run: 1, stations: 2 };
      await parts(1);
      expect(schedule.defect).to.equal(undefined);
      await parts(60);
      expect(schedule.defect).to.equal(STUCK);
      await end();
      expect(schedule.defect).to.equal(undefined);
    });

    it('is not stuck if it takes long or if others merge in between', async () => {
      for (let run = 1; run <= 20; run += 1) {
        for (let stations = 20; stations <= 30; stations += 5) {
          place = { run, stations };
          await parts(50);
          expect(schedule.defect).to.equal(undefined);
        }
      }
    });

    it('is stuck if it restarts all the time', async () => {
      for (let time = 0; time < 10; time += 1) {
        for (let stations = 1; stations <= 10; stations += 1) {
          place = { run: 1, stations };
          await parts(1);
        }
      }
      expect(schedule.defect).to.equal(STUCK);
    });

    it('is not stuck while there is nothing to merge', async () => {
      await end();
      await clock.tickAsync(90_000);
      expect(schedule.defect).to.equal(undefined);
    });

    it('is interrupted between two parts when it is stopped', async () => {
      const stopping = schedule.stop();
      await parts(1);
      await stopping;
      const count = merges.length;
      await parts(10);
      expect(merges).to.have.length(count);
    });
  });

  it('has finished when it is stopped, and does not begin again', async () => {
    let finish = () => undefined as void;
    outcome = () => new Promise((resolve) => (finish = () => resolve(undefined)));
    schedule.request();
    let stopped = false;
    const stopping = schedule.stop().then(() => (stopped = true));
    await clock.tickAsync(10);
    expect(stopped).to.equal(false);
    finish();
    await stopping;
    await clock.tickAsync(1_000_000);
    expect(merges).to.deep.equal([0]);
  });
});
