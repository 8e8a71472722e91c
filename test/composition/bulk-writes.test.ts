import { expect } from 'chai';
import sinon from 'sinon';
import { LocalAnnouncer } from '#adapters/announcer-local/local-announcer.js';
import { afterBulkWrites } from '#composition/background/bulk-writes.js';

const DAY = 86_400_000;

describe('afterBulkWrites', () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => clock.restore());

  it('tells the end of each series of writes that cover long times, and nothing after other writes', async () => {
    const announcer = new LocalAnnouncer();
    let ends = 0;
    const stop = afterBulkWrites(announcer, () => (ends += 1));
    const write = async (...lengths: readonly number[]) => {
      announcer.announce({
        kind: 'observations',
        changes: {
          stations: Uint32Array.from(lengths, () => 1),
          from: Float64Array.from(lengths, () => 0),
          to: Float64Array.from(lengths),
          revisions: Float64Array.from(lengths, () => 1),
        },
      });
      await new Promise((resolve) => setImmediate(resolve));
    };
    await write(60_000);
    await write(0, 3_600_000);
    announcer.announce({ kind: 'stations' });
    await clock.tickAsync(60_000);
    expect(ends).to.equal(0);
    for (let commit = 0; commit < 5; commit += 1) {
      await write(0, 40 * DAY);
      await clock.tickAsync(2900);
    }
    expect(ends).to.equal(0);
    await clock.tickAsync(200);
    expect(ends).to.equal(1);
    await write(2 * DAY);
    stop();
    await clock.tickAsync(60_000);
    expect(ends).to.equal(1);
  });
});
