import { expect } from 'chai';
import type { AuditStore } from '../../src/application/ports/audit-store.js';
import type { AuditEvent } from '../../src/domain/audit-event.js';

const EVENT: AuditEvent = {
  time: 1_770_000_000_123,
  action: 'sign-in',
  outcome: 'refused',
  actor: null,
  subject: 'Åda 秋子',
  address: '2001:db8::1',
  requestId: '0123456789ab-1',
};

/** What an AuditStore must do. */
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

  it('says the number of an event, and keeps how many a row stands for', async () => {
    const number = await store.append(EVENT);
    await store.append(EVENT);
    await store.setCount(number, 1_000_000);
    await store.setCount(number + 1_000_000, 7);
    expect((await store.list(10)).map(({ count }) => count)).to.deep.equal([1, 1_000_000]);
    expect((await store.list(10)).at(-1)).to.deep.include({ ...EVENT, number });
  });

  it('gives a page at a time, and misses and repeats nothing when more is appended meanwhile', async () => {
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

  it('removes what is older than asked, and does not use its numbers again', async () => {
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
