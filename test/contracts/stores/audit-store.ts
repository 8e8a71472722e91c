import { expect } from 'chai';
import type { AuditStore } from '#application/ports/audit-store.js';
import type { AuditEvent } from '#domain/accounts/audit-event.js';

const EVENT: AuditEvent = {
  time: 1_770_000_000_123,
  action: 'sign-in',
  outcome: 'refused',
  actor: null,
  subject: 'Åda 秋子',
  address: '2001:db8::1',
  requestId: '0123456789ab-1',
  detail: null,
};

/** The rules for every AuditStore. */
export function auditStoreContract(opened: () => AuditStore): void {
  let store: AuditStore;
  beforeEach(() => (store = opened()));

  it('gives back what was appended, newest first, with rising numbers', async () => {
    await store.append(EVENT);
    await store.append({ ...EVENT, action: 'key-rotate', outcome: 'done', actor: 'bob', address: null });
    const [second, first] = await store.list(10);
    expect(first).to.deep.include(EVENT);
    expect(second).to.deep.include({ action: 'key-rotate', outcome: 'done', actor: 'bob', address: null });
    expect(second?.number).to.be.above(first?.number ?? Infinity);
    expect([first?.count, second?.count]).to.deep.equal([1, 1]);
  });

  it('appends many at once, in their order', async () => {
    const subjects = ['a', 'b', 'c'];
    await store.appendAll(
      subjects.map((subject) => ({ ...EVENT, subject, detail: { rows: 3, inserted: 2 } })),
    );
    await store.appendAll([]);
    const events = (await store.list(10)).toReversed();
    expect(events.map(({ subject }) => subject)).to.deep.equal(subjects);
    expect(events[0]).to.deep.include({ ...EVENT, subject: 'a', detail: { rows: 3, inserted: 2 } });
  });

  it('says the number of an event, and keeps how many a row stands for', async () => {
    const first = await store.append(EVENT);
    const second = await store.append(EVENT);
    await store.setCounts(new Map([first, second + 1_000_000].map((number) => [number, 1_000_000])));
    const counts = async () => (await store.list(10)).map(({ count }) => count);
    expect(await counts()).to.deep.equal([1, 1_000_000]);
    expect((await store.list(10)).at(-1)).to.deep.include({ ...EVENT, number: first });
    const third = await store.append(
      EVENT,
      new Map([
        [first, 1_000_001],
        [second, 7],
      ]),
    );
    expect(third).to.be.above(second);
    expect(await counts()).to.deep.equal([1, 7, 1_000_001]);
    await store.setCounts(new Map());
    expect(await counts()).to.deep.equal([1, 7, 1_000_001]);
  });

  it('stores the detail of an event', async () => {
    const write = { from: -1, to: 5, rows: 3, inserted: 1, updated: 1, unchanged: 1, rejected: 0 };
    const details = [
      write,
      { grant: 'grant', stations: ['a', 'b'] },
      { grant: 'grant', stations: '*' },
    ] as const;
    for (const detail of details) await store.append({ ...EVENT, detail });
    const kept = (await store.list(3)).map(({ detail }) => detail);
    expect(kept.toReversed()).to.deep.equal(details);
  });

  it('adds counts of the same key up in one event, and leaves the others alone', async () => {
    const event = { ...EVENT, action: 'observations-write' as const };
    const tally = (key: string, from: number, to: number, rows: number) =>
      store.tally([{ key, event: { ...event, subject: key, detail: { from, to, rows } } }]);
    await tally('a', 10, 20, 2);
    await tally('b', 1, 1, 1);
    await tally('a', 15, 15, 1);
    await store.tally([
      { key: 'c', event: { ...event, subject: 'c', detail: { from: 7, to: 8, rows: 2 } } },
      {
        key: 'a',
        event: { ...event, time: EVENT.time + 9, subject: 'a', detail: { from: -5, to: 30, rows: 4 } },
      },
    ]);
    const events = await store.list(10);
    expect(events.map(({ subject, detail }) => [subject, detail])).to.deep.equal([
      ['c', { from: 7, to: 8, rows: 2 }],
      ['b', { from: 1, to: 1, rows: 1 }],
      ['a', { from: -5, to: 30, rows: 7 }],
    ]);
    expect(events[2]).to.deep.include({ ...event, subject: 'a', detail: { from: -5, to: 30, rows: 7 } });
  });

  it('counts every write of many at once', async () => {
    const detail = { from: 1, to: 2, rows: 1 };
    await Promise.all(
      Array.from({ length: 20 }, () =>
        store.tally(['y', 'x'].map((key) => ({ key, event: { ...EVENT, subject: key, detail } }))),
      ),
    );
    expect((await store.list(10)).map((event) => event.detail)).to.deep.equal([
      { ...detail, rows: 20 },
      { ...detail, rows: 20 },
    ]);
  });

  it('returns a page at a time, without gaps or repetitions when events are appended meanwhile', async () => {
    for (let time = 1; time <= 5; time += 1) await store.append({ ...EVENT, time });
    const timesOf = async (before?: number) => {
      const page = await store.list(2, before);
      return { times: page.map(({ time }) => time), next: page.at(-1)?.number };
    };
    const first = await timesOf();
    await store.append({ ...EVENT, time: 6 });
    const second = await timesOf(first.next);
    const third = await timesOf(second.next);
    expect([first.times, second.times, third.times]).to.deep.equal([[5, 4], [3, 2], [1]]);
    expect((await timesOf(third.next)).times).to.deep.equal([]);
  });

  it('filters by actor, action, time and number', async () => {
    for (let time = 1; time <= 4; time += 1)
      await store.append({
        ...EVENT,
        time,
        actor: time % 2 === 0 ? 'Ada' : null,
        action: time > 2 ? 'user-add' : 'sign-in',
      });
    const [newest] = await store.list(1);
    const last = newest?.number ?? 0;
    const filters = [
      [{ since: 0 }, [4, 3, 2, 1]],
      [{ since: last - 1 }, [4, 3]],
      [{ since: 0, actor: 'Ada' }, [4, 2]],
      [{ since: 0, actor: 'ada' }, []],
      [{ since: 0, action: 'user-add' }, [4, 3]],
      [{ since: 0, from: 2, to: 4 }, [3, 2]],
      [{ since: 0, actor: 'Ada', action: 'sign-in', from: 1, to: 3 }, [2]],
    ] as const;
    for (const [filter, times] of filters) {
      const found = await store.list(10, undefined, filter);
      expect(
        found.map(({ time }) => time),
        JSON.stringify(filter),
      ).to.deep.equal(times);
    }
  });

  it('removes older events, and does not reuse their numbers', async () => {
    await store.append({ ...EVENT, time: 1 });
    await store.append({ ...EVENT, time: 2 });
    const [newest] = await store.list(1);
    await store.purge(2);
    expect((await store.list(10)).map(({ time }) => time)).to.deep.equal([2]);
    await store.purge(3);
    await store.append({ ...EVENT, time: 3 });
    expect((await store.list(10))[0]?.number).to.be.above(newest?.number ?? Infinity);
  });
}
