import { expect } from 'chai';
import { BulkGate } from '#adapters/http/internal/bulk-gate.js';

const LIMITS = { served: 2, waiting: 1, maxWait: 10_000, memory: 100 };

describe('BulkGate', () => {
  const never = () => new AbortController().signal;
  const codeOf = (entering: Promise<unknown>) => entering.catch((error: { code: unknown }) => error.code);

  it('serves a limited number, makes others wait in order, and refuses the rest', async () => {
    const gate = new BulkGate(LIMITS);
    const [first, second] = [await gate.enter(never()), await gate.enter(never())];
    const third = gate.enter(never());
    expect(await codeOf(gate.enter(never()))).to.equal('BULK_REQUESTS_TOO_MANY');
    first.leave();
    first.leave();
    const place = await third;
    const fourth = gate.enter(never());
    expect(await codeOf(gate.enter(never()))).to.equal('BULK_REQUESTS_TOO_MANY');
    second.leave();
    place.leave();
    (await fourth).leave();
    expect(await gate.enter(never())).to.be.an('object');
  });

  it('releases the place of a client that leaves, waiting or served', async () => {
    const gate = new BulkGate(LIMITS);
    const clients = [1, 2, 3].map(() => new AbortController());
    const [a, b, c] = clients.map(({ signal }) => gate.enter(signal));
    await Promise.all([a, b]);
    clients[2]?.abort();
    expect(await (c as Promise<unknown>).catch((error: Error) => error.name)).to.equal('AbortError');
    clients[0]?.abort();
    clients[1]?.abort();
    await Promise.all([gate.enter(never()), gate.enter(never())]);
    const late = new AbortController();
    late.abort();
    expect(await gate.enter(late.signal).catch((error: Error) => error.name)).to.equal('AbortError');
  });

  it('refuses a request that has waited too long', async () => {
    const gate = new BulkGate({ ...LIMITS, served: 1, maxWait: 20 });
    const place = await gate.enter(never());
    expect(await codeOf(gate.enter(never()))).to.equal('BULK_REQUESTS_TOO_MANY');
    place.leave();
    (await gate.enter(never())).leave();
  });

  it('gives no turn to a request that waits for its client, and makes one that continues wait without a limit', async () => {
    const gate = new BulkGate({ ...LIMITS, maxWait: 20 });
    const slow = Array.from({ length: 10 }, () => gate.visit(never()));
    const [first, second] = [await gate.enter(never()), await gate.enter(never())];
    first.pause();
    first.pause();
    await slow[0]?.begin();
    expect(await codeOf(slow[1]?.begin() as Promise<void>)).to.equal('BULK_REQUESTS_TOO_MANY');
    const again = first.begin();
    const more = [slow[2], slow[3]].map((place) => codeOf(place?.begin() as Promise<void>));
    expect(await Promise.all(more)).to.deep.equal(['BULK_REQUESTS_TOO_MANY', 'BULK_REQUESTS_TOO_MANY']);
    second.leave();
    await again;
    await first.begin();
    slow[0]?.pause();
    const third = await gate.enter(never());
    third.leave();
    first.leave();
    const all = await Promise.all([gate.enter(never()), gate.enter(never())]);
    expect(await codeOf(gate.enter(never()))).to.equal('BULK_REQUESTS_TOO_MANY');
    for (const place of all) place.leave();
  });

  it('gives the turn of a waiting client that has left to the next', async () => {
    const gate = new BulkGate({ ...LIMITS, served: 1 });
    const first = await gate.enter(never());
    const client = new AbortController();
    const place = gate.visit(client.signal);
    const waiting = place.begin();
    first.leave();
    // The client leaves after the turn was given, before it arrives.
    client.abort();
    expect(await waiting.catch((error: Error) => error.name)).to.equal('AbortError');
    (await gate.enter(never())).leave();
  });

  it('counts the bytes of all requests together, and releases them', async () => {
    const gate = new BulkGate(LIMITS);
    const [a, b] = [await gate.enter(never()), await gate.enter(never())];
    a.hold(60);
    b.hold(40);
    expect(() => b.hold(1))
      .to.throw('hold 100 of 100 bytes')
      .with.property('code', 'BULK_REQUESTS_TOO_MANY');
    a.release(60);
    a.release(60);
    b.hold(60);
    expect(() => a.hold(1)).to.throw();
    b.leave();
    b.hold(100);
    a.hold(100);
  });
});
