import { expect } from 'chai';
import { SenderLease } from '#application/hooks/sender-lease.js';
import { MILLISECONDS } from '#domain/time.js';
import { World } from '../../support/world.js';

const { second } = MILLISECONDS;

describe('the lease of a sender', () => {
  let world: World;
  let first: SenderLease;
  let other: SenderLease;
  beforeEach(async () => {
    world = await World.make();
    const lease = (holder: string) => new SenderLease(world.clock, world.stores.uploads, holder, 'sender');
    [first, other] = [lease('one'), lease('two')];
  });
  const advance = (seconds: number) => {
    world.clock.time += seconds * second;
    world.clock.up += seconds * second;
  };
  const record = () => world.stores.uploads.record('sender');

  it('is held by one instance, which renews it after half of its time', async () => {
    expect([first.isHeld, other.isHeld]).to.deep.equal([false, false]);
    expect(await first.hold()).to.equal(true);
    expect(await other.hold()).to.equal(false);
    expect(await record()).to.include({ text: 'one', key: null, revision: 1, time: world.clock.time });
    advance(14);
    expect(await first.hold()).to.equal(true);
    expect((await record())?.revision).to.equal(1);
    advance(1);
    expect(await first.hold()).to.equal(true);
    expect(await record()).to.include({ revision: 2, time: world.clock.time });
    advance(29);
    expect([first.isHeld, await other.hold()]).to.deep.equal([true, false]);
    advance(1);
    expect(first.isHeld).to.equal(false);
    expect(await other.hold()).to.equal(true);
    expect(await first.hold()).to.equal(false);
    expect(await record()).to.include({ text: 'two', revision: 3 });
  });

  it('is taken over at once where it was released, and only its holder releases it', async () => {
    await first.hold();
    await other.release();
    expect(await other.hold()).to.equal(false);
    await first.release();
    expect(first.isHeld).to.equal(false);
    expect(await other.hold()).to.equal(true);
    await first.release();
    expect(other.isHeld).to.equal(true);
    expect(await record()).to.include({ text: 'two', time: world.clock.time });
  });

  it('is not held by an instance that was slower than another one', async () => {
    const { uploads } = world.stores;
    const put = uploads.put.bind(uploads);
    uploads.put = async (records) => {
      uploads.put = put;
      await other.hold();
      return put(records);
    };
    expect(await first.hold()).to.equal(false);
    expect([first.isHeld, other.isHeld]).to.deep.equal([false, true]);
  });

  it('that was taken over is left to its new holder', async () => {
    await first.hold();
    // The clock of the machine was set forward, which does not end the lease of the first instance.
    world.clock.time += 31 * second;
    expect(await other.hold()).to.equal(true);
    expect(first.isHeld).to.equal(true);
    const before = await record();
    await first.release();
    expect(await record()).to.deep.equal(before);
  });
});
