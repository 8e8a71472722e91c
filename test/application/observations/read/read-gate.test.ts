import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  type Place,
  ReadGate,
  type ReadLimits,
} from '../../../../src/application/observations/read/read-gate.js';
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

/** Whether a promise is still pending at this moment. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending');
  const first = await Promise.race([promise, sleep(1).then(() => pending)]);
  return first === pending;
}

describe('ReadGate', () => {
  const patient = { ...LIMITS, maxWait: 60_000 };

  it('admits reads until a network has used its share, and the next when one leaves', async () => {
    const gate = new ReadGate(patient);
    const first = await gate.enter(reader('a'), 30);
    const second = gate.enter(reader('a'), 30);
    expect(await isPending(second)).to.equal(true);
    (await gate.enter(reader('b'), 30)).leave();
    first.leave();
    first.leave();
    (await second).leave();
    expect([gate.held, gate.waiting]).to.deep.equal([0, 0]);
  });

  it('reserves capacity for small reads, which overtake the others', async () => {
    const gate = new ReadGate(patient);
    await gate.enter(reader('a'), 50);
    await gate.enter(reader('b'), 30);
    const heavy = gate.enter(reader('c'), 6);
    expect(await isPending(heavy)).to.equal(true);
    await gate.enter(reader('d'), 5);
    expect(gate.held).to.equal(85);
  });

  it('admits a read above the share of its network if the network has no other', async () => {
    const gate = new ReadGate(patient);
    const all = await gate.enter(reader('a'), 1_000_000);
    expect(gate.held).to.equal(50);
    const behind = gate.enter(reader('a'), 1);
    expect(await isPending(behind)).to.equal(true);
    all.leave();
    (await behind).leave();
  });

  it('admits in the order of arrival, so that a large read is not overtaken forever', async () => {
    const gate = new ReadGate(patient);
    const [a, b] = [await gate.enter(reader('a'), 40), await gate.enter(reader('b'), 40)];
    const order: string[] = [];
    const enter = async (network: string, cells: number) => {
      const place = await gate.enter(reader(network), cells);
      order.push(network);
      return place;
    };
    const large = enter('c', 50);
    const small = enter('d', 10);
    a.leave();
    expect(await isPending(large)).to.equal(true);
    b.leave();
    await Promise.all([large, small]);
    expect(order).to.deep.equal(['c', 'd']);
  });

  it('refuses a read that has waited too long, with 429 because of its own network and 503 because of others', async () => {
    const gate = new ReadGate(LIMITS);
    await gate.enter(reader('a'), 50);
    const own = await domainErrorOf(gate.enter(reader('a'), 10), 'RATE_LIMITED');
    expect([own.retryAfter, own.quota]).to.deep.equal([1, 'reads']);
    await gate.enter(reader('b'), 30);
    const others = await domainErrorOf(gate.enter(reader('c'), 10), 'SERVICE_UNAVAILABLE');
    expect(others.retryAfter).to.equal(1);
    expect([gate.held, gate.waiting]).to.deep.equal([80, 0]);
  });

  it('limits the waiting reads, first those of one network', async () => {
    const gate = new ReadGate(patient);
    await gate.enter(reader('a'), 50);
    await gate.enter(reader('b'), 30);
    const waiting = ['a', 'a', 'a', 'b', 'b', 'b'].map((network) => gate.enter(reader(network), 40));
    await domainErrorOf(gate.enter(reader('a'), 40), 'RATE_LIMITED');
    await domainErrorOf(gate.enter(reader('c'), 40), 'SERVICE_UNAVAILABLE');
    expect(gate.waiting).to.equal(6);
    for (const one of waiting) expect(await isPending(one)).to.equal(true);
  });

  it('releases a read that leaves, waiting or admitted, and admits the next one', async () => {
    const gate = new ReadGate(patient);
    const [inside, waits] = [new AbortController(), new AbortController()];
    const place = await gate.enter(reader('a', inside.signal), 50);
    const gone = gate.enter(reader('a', waits.signal), 50);
    const next = gate.enter(reader('a'), 50);
    waits.abort();
    expect(await gone.catch((error: Error) => error.name)).to.equal('AbortError');
    inside.abort();
    await next;
    place.leave();
    place.charge(1000);
    expect([gate.held, gate.waiting]).to.deep.equal([50, 0]);
    const late = gate.enter(reader('b', waits.signal), 1);
    expect(await late.catch((error: Error) => error.name)).to.equal('AbortError');
  });

  it('counts cells beyond the expected number', async () => {
    const gate = new ReadGate(patient);
    const place = await gate.enter(reader('a'), 10);
    place.charge(5);
    expect(gate.held).to.equal(10);
    place.charge(45);
    const next = gate.enter(reader('a'), 10);
    expect(await isPending(next)).to.equal(true);
    place.leave();
    (await next).leave();
    expect(gate.held).to.equal(0);
  });

  it('continues one read in each turn of the event loop', async () => {
    const gate = new ReadGate(patient);
    const places = await Promise.all(['a', 'b', 'c'].map((network) => gate.enter(reader(network), 1)));
    const events: string[] = [];
    const work = async (place: Place, name: string) => {
      for (let slice = 0; slice < 3; slice += 1) {
        await place.turn();
        events.push(name);
      }
    };
    const all = Promise.all(places.map((place, index) => work(place, 'abc'[index] as string)));
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
      cells: fc.integer({ min: 0, max: 70 }),
      leavesAfter: fc.integer({ min: 0, max: 3 }),
      aborts: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const gate = new ReadGate({ ...patient, waiting: 100, waitingOfNetwork: 100 });
        const reads = steps.map(async ({ network, cells, leavesAfter, aborts }) => {
          const controller = new AbortController();
          if (aborts) void Promise.resolve().then(() => controller.abort());
          const place = await gate.enter(reader(network, controller.signal), cells).catch(() => undefined);
          expect(gate.held).to.be.at.most(LIMITS.cells);
          for (let turn = 0; turn < leavesAfter; turn += 1) await place?.turn();
          place?.leave();
        });
        await Promise.all(reads);
        expect([gate.held, gate.waiting]).to.deep.equal([0, 0]);
      }),
      { numRuns: 200 },
    );
  });
});
