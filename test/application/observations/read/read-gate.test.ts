import { expect } from 'chai';
import fc from 'fast-check';
import type { RequestPermit, Permit, GateClient } from '#application/observations/read/gate/permit.js';
import { ReadGate, type ReadLimits } from '#application/observations/read/gate/read-gate.js';
import { pause } from '#application/pause.js';
import { domainErrorOf } from '../../../support/rejection.js';

const LIMITS: ReadLimits = {
  cells: 100,
  cellsOfNetwork: 50,
  lightCells: 5,
  reservedCells: 20,
  waiting: 6,
  waitingOfNetwork: 3,
  maxWait: 20,
};

const reader = (network: string, signal = new AbortController().signal) => ({ network, signal });

async function enter(gate: ReadGate, one: GateClient, cells: number): Promise<RequestPermit> {
  const permit = gate.permitFor(one);
  await permit.acquire(cells);
  return permit;
}

/** Whether a promise is still pending at this moment. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending');
  const first = await Promise.race([promise, pause().then(() => pending)]);
  return first === pending;
}

describe('ReadGate', () => {
  const patient = { ...LIMITS, maxWait: 60_000 };

  it('admits reads until a network has used its share, and the next when one leaves', async () => {
    const gate = new ReadGate(patient);
    const first = await enter(gate, reader('a'), 30);
    const second = enter(gate, reader('a'), 30);
    expect(await isPending(second)).to.equal(true);
    (await enter(gate, reader('b'), 30)).release();
    first.release();
    first.release();
    (await second).release();
    expect([gate.held, gate.waiting]).to.deep.equal([0, 0]);
  });

  it('reserves capacity for small reads, which overtake the others', async () => {
    const gate = new ReadGate(patient);
    await enter(gate, reader('a'), 50);
    await enter(gate, reader('b'), 30);
    const heavy = enter(gate, reader('c'), 6);
    expect(await isPending(heavy)).to.equal(true);
    await enter(gate, reader('d'), 5);
    expect(gate.held).to.equal(85);
  });

  it('admits a read above the share of its network if the network has no other', async () => {
    const gate = new ReadGate(patient);
    const all = await enter(gate, reader('a'), 1_000_000);
    expect(gate.held).to.equal(50);
    const behind = enter(gate, reader('a'), 1);
    expect(await isPending(behind)).to.equal(true);
    all.release();
    (await behind).release();
  });

  it('admits in the order of arrival, so that a large read is not overtaken forever', async () => {
    const gate = new ReadGate(patient);
    const [a, b] = [await enter(gate, reader('a'), 40), await enter(gate, reader('b'), 40)];
    const order: string[] = [];
    const arrive = async (network: string, cells: number) => {
      await enter(gate, reader(network), cells);
      order.push(network);
    };
    const large = arrive('c', 50);
    const small = arrive('d', 10);
    a.release();
    expect(await isPending(large)).to.equal(true);
    b.release();
    await Promise.all([large, small]);
    expect(order).to.deep.equal(['c', 'd']);
  });

  it('refuses a read that has waited too long, with 429 because of its own network and 503 because of others', async () => {
    const gate = new ReadGate(LIMITS);
    await enter(gate, reader('a'), 50);
    const own = await domainErrorOf(enter(gate, reader('a'), 10), 'RATE_LIMITED');
    expect([own.retryAfter, own.quota]).to.deep.equal([1, 'reads']);
    await enter(gate, reader('b'), 30);
    const others = await domainErrorOf(enter(gate, reader('c'), 10), 'SERVICE_UNAVAILABLE');
    expect(others.retryAfter).to.equal(1);
    expect([gate.held, gate.waiting]).to.deep.equal([80, 0]);
  });

  it('limits the waiting reads, first those of one network', async () => {
    const gate = new ReadGate(patient);
    await enter(gate, reader('a'), 50);
    await enter(gate, reader('b'), 30);
    const waiting = ['a', 'a', 'a', 'b', 'b', 'b'].map((network) => enter(gate, reader(network), 40));
    await domainErrorOf(enter(gate, reader('a'), 40), 'RATE_LIMITED');
    await domainErrorOf(enter(gate, reader('c'), 40), 'SERVICE_UNAVAILABLE');
    expect(gate.waiting).to.equal(6);
    for (const one of waiting) expect(await isPending(one)).to.equal(true);
  });

  it('releases a read that leaves, waiting or admitted, and admits the next one', async () => {
    const gate = new ReadGate(patient);
    const [inside, waits] = [new AbortController(), new AbortController()];
    const permit = await enter(gate, reader('a', inside.signal), 50);
    const gone = enter(gate, reader('a', waits.signal), 50);
    const next = enter(gate, reader('a'), 50);
    waits.abort();
    expect(await gone.catch((error: Error) => error.name)).to.equal('AbortError');
    inside.abort();
    await next;
    permit.release();
    permit.charge(1000);
    expect([gate.held, gate.waiting]).to.deep.equal([50, 0]);
    const begun = new AbortController();
    const reply = await enter(gate, reader('b', begun.signal), 20);
    reply.begin();
    begun.abort();
    expect(gate.held).to.equal(70);
    reply.release();
    expect(gate.held).to.equal(50);
    const late = enter(gate, reader('b', waits.signal), 1);
    expect(await late.catch((error: Error) => error.name)).to.equal('AbortError');
  });

  it('counts cells beyond the expected number', async () => {
    const gate = new ReadGate(patient);
    const permit = await enter(gate, reader('a'), 10);
    permit.charge(5);
    expect(gate.held).to.equal(10);
    permit.charge(45);
    const next = enter(gate, reader('a'), 10);
    expect(await isPending(next)).to.equal(true);
    permit.release();
    (await next).release();
    expect(gate.held).to.equal(0);
  });

  describe('the place of a request', () => {
    /** A gate that is full, and in which a request of network `a` holds the share of its network. */
    const full = async () => {
      const gate = new ReadGate(patient);
      await enter(gate, reader('b'), 30);
      return { gate, permit: await enter(gate, reader('a'), 50) };
    };

    it('lets no read of the request wait for another one of it', async () => {
      const { gate, permit } = await full();
      for (const cells of [50, 10, 1_000_000]) await permit.acquire(cells);
      expect([gate.held, gate.waiting]).to.deep.equal([80, 0]);
    });

    it('gives its cells back before it waits for more', async () => {
      const gate = new ReadGate(patient);
      await enter(gate, reader('b'), 50);
      const permit = await enter(gate, reader('a'), 20);
      const other = enter(gate, reader('c'), 20);
      expect(await isPending(other)).to.equal(true);
      const more = permit.acquire(40);
      expect(await isPending(more)).to.equal(true);
      // The other read has the cells that were given back.
      (await other).release();
      expect(await isPending(more)).to.equal(true);
      permit.release();
    });

    it('waits for nothing and is not refused once the reply has begun', async () => {
      const gate = new ReadGate({ ...LIMITS, waiting: 0 });
      await enter(gate, reader('b'), 50);
      const permit = await enter(gate, reader('a'), 20);
      permit.begin();
      await permit.acquire(30);
      expect(gate.held).to.equal(80);
      await permit.acquire(50);
      expect(gate.held).to.equal(100);
      permit.release();
      await permit.acquire(50);
      expect(gate.held).to.equal(50);
    });

    it('is one: a second one fails at once, and so do two reads that wait', async () => {
      const { gate } = await full();
      const one = reader('a');
      const permit = gate.permitFor(one);
      expect(() => gate.permitFor({ ...one })).to.throw('A request can have only one permit');
      const waits = permit.acquire(10);
      expect(await permit.acquire(10).catch(({ message }: Error) => message)).to.contain(
        'Two reads of a request',
      );
      permit.release();
      gate.permitFor(one).release();
      expect(await isPending(waits)).to.equal(true);
    });

    it('is made and left by what handles the request alone', () => {
      const read = (permit: Permit) => {
        // @ts-expect-error -- a read that is part of a reply cannot leave
        void permit.leave;
        // @ts-expect-error -- nor say that the reply begins
        void permit.begin;
        // @ts-expect-error -- nor make another permit
        void permit.permitFor;
      };
      read(new ReadGate(patient).permitFor(reader('a')));
    });
  });

  it('continues one read in each turn of the event loop', async () => {
    const gate = new ReadGate(patient);
    const permits = await Promise.all(['a', 'b', 'c'].map((network) => enter(gate, reader(network), 1)));
    const events: string[] = [];
    const work = async (permit: Permit, name: string) => {
      for (let slice = 0; slice < 3; slice += 1) {
        await permit.turn();
        events.push(name);
      }
    };
    const all = Promise.all(permits.map((permit, index) => work(permit, 'abc'[index] as string)));
    for (let turn = 0; turn < 20; turn += 1) {
      const before = events.length;
      await new Promise(setImmediate);
      expect(events.length - before).to.be.at.most(1);
    }
    await all;
    expect(events.join('')).to.equal('abcabcabc');
  });

  it('never exceeds its limit, never loses a cell, and serves every read in the end', async () => {
    const step = fc.record({
      network: fc.constantFrom('a', 'b', 'c'),
      reads: fc.array(fc.integer({ min: 0, max: 70 }), { minLength: 1, maxLength: 4 }),
      beginsAfter: fc.integer({ min: 1, max: 5 }),
      leavesAfter: fc.integer({ min: 0, max: 3 }),
      aborts: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const gate = new ReadGate({ ...patient, waiting: 100, waitingOfNetwork: 100 });
        // What a reply that has begun needs more than it waited for is counted, and may be above the limit.
        let beyond = 0;
        const requests = steps.map(async ({ network, reads, beginsAfter, leavesAfter, aborts }) => {
          const controller = new AbortController();
          if (aborts) void Promise.resolve().then(() => controller.abort());
          const permit = gate.permitFor(reader(network, controller.signal));
          for (const [index, cells] of reads.entries()) {
            if (index === beginsAfter) permit.begin();
            const before = gate.held;
            const entered = permit.acquire(cells).catch(() => undefined);
            // Counted at once: until it resolves, others enter and leave.
            if (index >= beginsAfter) beyond += Math.max(0, gate.held - before);
            await entered;
            expect(gate.held).to.be.at.most(LIMITS.cells + beyond);
            for (let turn = 0; turn < leavesAfter; turn += 1) await permit.turn();
          }
          permit.release();
        });
        await Promise.all(requests);
        expect([gate.held, gate.waiting]).to.deep.equal([0, 0]);
      }),
      { numRuns: 200 },
    );
  });
});
