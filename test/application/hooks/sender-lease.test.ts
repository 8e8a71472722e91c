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
    const lease = (holder: string) => new SenderLease(world.clock, world.stores.leases, holder, 'sender');
    [first, other] = [lease('one'), lease('two')];
  });
  const advance = (seconds: number) => {
    world.clock.time += seconds * second;
    world.clock.up += seconds * second;
  };

  it('is held by one instance, which renews it after half of its time', async () => {
    expect([first.isHeld, other.isHeld]).to.deep.equal([false, false]);
    expect(await first.acquire()).to.equal(true);
    expect(await other.acquire()).to.equal(false);
    advance(14);
    expect(await first.acquire()).to.equal(true);
    advance(1);
    expect(await first.acquire()).to.equal(true);
    advance(29);
    expect([first.isHeld, await other.acquire()]).to.deep.equal([true, false]);
    advance(1);
    expect(first.isHeld).to.equal(false);
    expect(await other.acquire()).to.equal(true);
    expect(await first.acquire()).to.equal(false);
  });

  it('is taken over at once where it was released, and only its holder releases it', async () => {
    await first.acquire();
    await other.release();
    expect(await other.acquire()).to.equal(false);
    await first.release();
    expect(first.isHeld).to.equal(false);
    expect(await other.acquire()).to.equal(true);
    await first.release();
    expect(other.isHeld).to.equal(true);
    expect(await first.acquire()).to.equal(false);
  });

  it('that was taken over is left to its new holder', async () => {
    await first.acquire();
    // The clock of the machine was set forward, which does not end the lease of the first instance.
    world.clock.time += 31 * second;
    expect(await other.acquire()).to.equal(true);
    expect(first.isHeld).to.equal(true);
    await first.release();
    expect(await first.acquire()).to.equal(false);
    expect(other.isHeld).to.equal(true);
  });
});
