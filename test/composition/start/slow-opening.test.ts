import { expect } from 'chai';
import sinon from 'sinon';
import { reportIfSlow } from '#composition/start/slow-opening.js';

describe('the opening of data', () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => (clock = sinon.useFakeTimers()));
  afterEach(() => clock.restore());

  for (const [isMigration, reason] of [
    [false, ''],
    [true, ': data of an older version are migrated to the current schema; do not end the process'],
  ] as const)
    it(`says after three seconds, and every half minute, only what is known: migration ${isMigration}`, async () => {
      const said: string[] = [];
      let end: (data: string) => void = () => undefined;
      const opened = reportIfSlow(
        new Promise<string>((resolve) => (end = resolve)),
        (text) => said.push(text),
        isMigration,
      );
      await clock.tickAsync(2999);
      expect(said).to.deep.equal([]);
      await clock.tickAsync(1);
      await clock.tickAsync(60_000);
      expect(said).to.deep.equal(
        [3, 33, 63].map((seconds) => `the data are still being opened, after ${seconds} s${reason}`),
      );
      end('data');
      expect([await opened, clock.countTimers()]).to.deep.equal(['data', 0]);
    });

  it('says nothing when it fails at once, and passes the failure on', async () => {
    const said: string[] = [];
    const failed = reportIfSlow(Promise.reject(new Error('away')), (text) => said.push(text), false);
    expect(await failed.catch((error: Error) => error.message)).to.equal('away');
    expect([said, clock.countTimers()]).to.deep.equal([[], 0]);
  });
});
