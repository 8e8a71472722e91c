import { expect } from 'chai';
import { BulkGate } from '#adapters/http/internal/bulk-gate.js';

const LIMITS = { served: 2, waiting: 1, maxWait: 10_000, memory: 100 };

describe('BulkGate', () => {
  const never = () => new AbortController().signal;
  const codeOf = (entering: Promise<unknown>) => entering.catch((error: { code: unknown }) => error.code);

  it('serves a limited number, makes others wait in order, and refuses the rest', async () => {
    const gate = new BulkGate(LIMITS);
    const [first, second] = [await gate.acquire(never()), await gate.acquire(never())];
    const third = gate.acquire(never());
    expect(await codeOf(gate.acquire(never()))).to.equal('BULK_REQUESTS_TOO_MANY');
    first.end();
    first.end();
    const place = await third;
    const fourth = gate.acquire(never());
    expect(await codeOf(gate.acquire(never()))).to.equal('BULK_REQUESTS_TOO_MANY');
    second.end();
    place.end();
    (await fourth).end();
    expect(await gate.acquire(never())).to.be.an('object');
  });

  it('releases the place of a client that leaves, waiting or served', async () => {
    const gate = new BulkGate(LIMITS);
    const clients = [1, 2, 3].map(() => new AbortController());
    const [a, b, c] = clients.map(({ signal }) => gate.acquire(signal));
    await Promise.all([a, b]);
    clients[2]?.abort();
    expect(await (c as Promise<unknown>).catch((error: Error) => error.name)).to.equal('AbortError');
    clients[0]?.abort();
    clients[1]?.abort();
    await Promise.all([gate.acquire(never()), gate.acquire(never())]);
    const late = new AbortController();
    late.abort();
    expect(await gate.acquire(late.signal).catch((error: Error) => error.name)).to.equal('AbortError');
  });

  it('refuses a request that has waited too long', async () => {
    const gate = new BulkGate({ ...LIMITS, served: 1, maxWait: 20 });
    const place = await gate.acquire(never());
    expect(await codeOf(gate.acquire(never()))).to.equal('BULK_REQUESTS_TOO_MANY');
    place.end();
    (await gate.acquire(never())).end();
  });

  it('gives no turn to a request that waits for its client, and makes one that continues wait without a limit', async () => {
    const gate = new BulkGate({ ...LIMITS, maxWait: 20 });
    const slow = Array.from({ length: 10 }, () => gate.createPermit(never()));
    const [first, second] = [await gate.acquire(never()), await gate.acquire(never())];
    first.pause();
    first.pause();
    await slow[0]?.begin();
    expect(await codeOf(slow[1]?.begin() as Promise<void>)).to.equal('BULK_REQUESTS_TOO_MANY');
    const again = first.begin();
    const more = [slow[2], slow[3]].map((place) => codeOf(place?.begin() as Promise<void>));
    expect(await Promise.all(more)).to.deep.equal(['BULK_REQUESTS_TOO_MANY', 'BULK_REQUESTS_TOO_MANY']);
    second.end();
    await again;
    await first.begin();
    slow[0]?.pause();
    const third = await gate.acquire(never());
    third.end();
    first.end();
    const all = await Promise.all([gate.acquire(never()), gate.acquire(never())]);
    expect(await codeOf(gate.acquire(never()))).to.equal('BULK_REQUESTS_TOO_MANY');
    for (const place of all) place.end();
  });

  it('gives the turn of a waiting client that has left to the next', async () => {
    const gate = new BulkGate({ ...LIMITS, served: 1 });
    const first = await gate.acquire(never());
    const client = new AbortController();
    const place = gate.createPermit(client.signal);
    const waiting = place.begin();
    first.end();
    // The client leaves after the turn was given, before it arrives.
    client.abort();
    expect(await waiting.catch((error: Error) => error.name)).to.equal('AbortError');
    (await gate.acquire(never())).end();
  });

  it('counts the bytes of all requests together, and releases them', async () => {
    const gate = new BulkGate(LIMITS);
    const [a, b] = [await gate.acquire(never()), await gate.acquire(never())];
    a.hold(60);
    b.hold(40);
    expect(() => b.hold(1))
      .to.throw('use 100 of 100 bytes')
      .with.property('code', 'BULK_REQUESTS_TOO_MANY');
    a.release(60);
    a.release(60);
    b.hold(60);
    expect(() => a.hold(1)).to.throw();
    b.end();
    b.hold(100);
    a.hold(100);
  });
});
