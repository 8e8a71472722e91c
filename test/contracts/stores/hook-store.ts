import { expect } from 'chai';
import type { HookStore } from '#application/ports/hook-store.js';
import type { LeaseStore } from '#application/ports/lease.js';
import type { Stores } from '#application/ports/stores.js';
import type { Hook } from '#domain/hooks/hook.js';

const NOW = Date.UTC(2026, 10, 22);
const STATE = { deliveredAt: NOW, failingSince: null, reason: null };

const hook = (name: string, since = NOW): Hook => ({
  name,
  target: { kind: 'post', url: 'https://example.org/', secret: 'hunter22', allowPrivate: false },
  stations: [3],
  paused: false,
  since,
});

/** The rules for every HookStore. */
export function hookStoreContract(opened: () => Stores): void {
  let store: HookStore;
  beforeEach(() => (store = opened().hooks));

  it('replaces all hooks only over the revision that was read', async () => {
    expect(await store.hooks()).to.deep.equal({ hooks: [], revision: 0 });
    expect(await store.putHooks({ hooks: [hook('a')], revision: 0 }, NOW)).to.equal(true);
    expect(await store.putHooks({ hooks: [hook('b')], revision: 0 }, NOW)).to.equal(false);
    expect(await store.hooks()).to.deep.equal({ hooks: [hook('a')], revision: 1 });
    expect(await store.putHooks({ hooks: [], revision: 1 }, NOW)).to.equal(true);
    expect(await store.hooks()).to.deep.equal({ hooks: [], revision: 2 });
  });

  it('reads weather services that an earlier version has stored as uploads', async () => {
    const stored = {
      kind: 'upload',
      protocol: 'wow-be',
      account: 'garden',
      key: 'hunter22',
      url: 'https://example.org/',
      allowPrivate: true,
    };
    const earlier = { ...hook('wow'), target: stored } as unknown as Hook;
    expect(await store.putHooks({ hooks: [hook('a'), earlier], revision: 0 }, NOW)).to.equal(true);
    const target = {
      kind: 'service',
      service: 'wow-be',
      account: 'garden',
      secret: 'hunter22',
      url: 'https://example.org/',
      allowPrivate: true,
    };
    const { hooks } = await store.hooks();
    expect(hooks).to.deep.equal([hook('a'), { ...earlier, target }]);
    expect(await store.putHooks({ hooks, revision: 1 }, NOW)).to.equal(true);
    expect((await store.hooks()).hooks).to.deep.equal(hooks);
  });

  it('has the last state of each hook', async () => {
    await store.putState('a', STATE, NOW);
    await store.putState('a-b', { ...STATE, reason: 'It is closed.' }, NOW);
    await store.putState('a', { ...STATE, deliveredAt: null }, NOW);
    expect(await store.state('a')).to.deep.equal({ ...STATE, deliveredAt: null });
    expect(await store.state('b')).to.equal(undefined);
    const states = await store.states();
    expect([...states]).to.have.deep.members([
      ['a', { ...STATE, deliveredAt: null }],
      ['a-b', { ...STATE, reason: 'It is closed.' }],
    ]);
  });

  it('replaces positions only over the revisions that were read, and keeps those of a hook that is made again apart', async () => {
    const [first, again] = [hook('a'), hook('a', NOW + 1)];
    const group = (number: number, revision: number, time: number) => {
      return {
        group: number,
        revision,
        positions: [[64 * number, { time, late: { from: 1, to: 2 } }]] as const,
      };
    };
    expect(await store.putPositions(first, [group(0, 0, 5), group(11, 0, 6)], NOW)).to.equal(true);
    expect(await store.positions(first)).to.have.deep.members([group(0, 1, 5), group(11, 1, 6)]);
    expect(await store.positions(again)).to.deep.equal([]);
    expect(await store.putPositions(first, [group(0, 0, 9), group(11, 1, 7)], NOW)).to.equal(false);
    expect(await store.positions(first)).to.have.deep.members([group(0, 1, 5), group(11, 2, 7)]);
  });

  it('forgets what was stored while a hook ran, and no other hook', async () => {
    for (const name of ['a', 'a-b']) {
      await store.putState(name, STATE, NOW);
      for (const since of [NOW, NOW + 1])
        await store.putPositions(hook(name, since), [{ group: 0, revision: 0, positions: [] }], NOW);
    }
    await store.forget('a');
    expect([...(await store.states()).keys()]).to.deep.equal(['a-b']);
    const left = ['a', 'a-b'].flatMap((name) => [hook(name), hook(name, NOW + 1)]);
    const lengths = await Promise.all(left.map(async (one) => (await store.positions(one)).length));
    expect(lengths).to.deep.equal([0, 0, 1, 1]);
  });

  it('keeps hooks as former versions did', async () => {
    await store.putHooks({ hooks: [], revision: 0 }, NOW);
    await store.putState('a', STATE, NOW);
    await store.putPositions(hook('a'), [{ group: 2, revision: 0, positions: [[128, { time: 5 }]] }], NOW);
    const records = await opened().storedRecords.records('hook');
    expect(records.map(({ name, text }) => [name, text])).to.deep.equal([
      [`hook-position/a/${NOW}/2`, '[[128,{"time":5}]]'],
      ['hook-state/a/', JSON.stringify(STATE)],
      ['hooks', '[]'],
    ]);
  });
}

/** The rules for every LeaseStore. */
export function leaseStoreContract(opened: () => Stores): void {
  let store: LeaseStore;
  beforeEach(() => (store = opened().leases));

  it('gives a lease to one holder until it ends or is released', async () => {
    expect(await store.acquire('one', 'a', NOW, 30)).to.equal(true);
    expect(await store.acquire('one', 'b', NOW + 29, 30)).to.equal(false);
    expect(await store.acquire('other', 'b', NOW, 30)).to.equal(true);
    expect(await store.acquire('one', 'a', NOW + 29, 30)).to.equal(true);
    expect(await store.acquire('one', 'b', NOW + 30, 30)).to.equal(false);
    expect(await store.acquire('one', 'b', NOW + 59, 30)).to.equal(true);
    await store.release('one', 'a');
    expect(await store.acquire('one', 'a', NOW + 60, 30)).to.equal(false);
    await store.release('one', 'b');
    expect(await store.acquire('one', 'a', NOW + 60, 30)).to.equal(true);
  });

  it('gives a lease to one of several that take it at the same time', async () => {
    const taken = await Promise.all(
      Array.from({ length: 8 }, (_, index) => store.acquire('one', String(index), NOW, 30)),
    );
    expect(taken.filter(Boolean).length).to.equal(1);
  });
}
