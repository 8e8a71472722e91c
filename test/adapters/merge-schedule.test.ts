import { expect } from 'chai';
import sinon from 'sinon';
import { MergeSchedule } from '../../src/adapters/store-sqlite/merge-schedule.js';

describe('MergeSchedule', () => {
  const times = { every: 100_000, retry: 1000, most: 8000 };
  let clock: sinon.SinonFakeTimers;
  let merges: number[];
  let outcome: () => Promise<void>;
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
    await schedule.stop();
    clock.restore();
  });

  it('merges after the start and every hour, although nobody writes', async () => {
    await clock.tickAsync(250_000);
    expect(merges).to.deep.equal([1000, 101_000, 201_000]);
  });

  it('merges at once when a write asks for it, once at a time', async () => {
    let finish = () => undefined as void;
    outcome = () => new Promise((resolve) => (finish = resolve));
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

  it('tells why it fails, waits longer each time, and says no more of it when it works again', async () => {
    outcome = () =>
      Promise.reject(new Error('The data file cannot be used.', { cause: new Error('disk full') }));
    schedule.request();
    await clock.tickAsync(20_000);
    expect(merges).to.deep.equal([0, 1000, 3000, 7000, 15_000]);
    expect(schedule.failure).to.equal('disk full');
    schedule.request();
    expect(merges, 'a write does not shorten the wait').to.have.length(5);
    outcome = async () => undefined;
    await clock.tickAsync(4000);
    expect(schedule.failure).to.equal(undefined);
    schedule.request();
    await clock.tickAsync(0);
    expect(merges.slice(5)).to.deep.equal([23_000, 24_000]);
  });

  it('has finished when it is stopped, and does not begin again', async () => {
    let finish = () => undefined as void;
    outcome = () => new Promise((resolve) => (finish = resolve));
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
