import { expect } from 'chai';
import { Dispatcher, MAX_QUEUES } from '#application/hooks/dispatcher.js';
import type { DispatchNotice } from '#application/hooks/delivery-queue.js';
import { MessageQueue } from '#application/hooks/outbox.js';
import type { Delivery, DeliveryOutcome, Message } from '#application/ports/delivery.js';
import type { HookTarget } from '#domain/hooks/hook-target.js';
import { MILLISECONDS } from '#domain/time.js';
import { FakeClock } from '../fakes/fakes.js';

const target = (name: string) =>
  ({ kind: 'post', url: `https://${name}.test/`, allowPrivate: false }) as const;
const message = (id: string): Message => ({ event: 'test', id, body: '{}' });
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A dispatcher whose waits end at once, and advance the clock. */
class Bench {
  readonly clock = new FakeClock();
  readonly sent: string[] = [];
  readonly delays: number[] = [];
  readonly notices: DispatchNotice[] = [];
  readonly outcomes: string[] = [];
  readonly dispatcher: Dispatcher;

  constructor(
    answer: (target: HookTarget, message: Message, signal: AbortSignal) => Promise<DeliveryOutcome>,
  ) {
    const delivery: Pick<Delivery, 'send'> = {
      send: (to, what, signal) => {
        this.sent.push(what.id);
        return answer(to, what, signal);
      },
    };
    const wait = async (milliseconds: number) => {
      this.delays.push(milliseconds);
      this.clock.up += milliseconds;
      this.clock.time += milliseconds;
      await turn();
    };
    const onNotice = (notice: DispatchNotice) => void this.notices.push(notice);
    this.dispatcher = new Dispatcher({
      clock: this.clock,
      delivery,
      onNotice,
      onOutcome: ({ name }, { id }, outcome) => void this.outcomes.push(`${name} ${id} ${outcome}`),
      wait,
      random: () => 0,
    });
  }

  queue(name: string, ids: readonly string[]): MessageQueue {
    const queue = new MessageQueue(name, target(name));
    for (const id of ids) queue.add(message(id));
    return queue;
  }
}

const emptied = async (queue: MessageQueue) => {
  while (queue.length > 0) await turn();
  await turn();
};

describe('Dispatcher', () => {
  it('delivers the messages of a target in order, and those that come later', async () => {
    const bench = new Bench(async () => 'delivered');
    const queue = bench.queue('a', ['1', '2']);
    const lane = bench.dispatcher.open(queue);
    await emptied(queue);
    queue.add(message('3'));
    lane.wake();
    await emptied(queue);
    expect(bench.sent).to.deep.equal(['1', '2', '3']);
    expect(lane.status).to.deep.include({ delivered: 3, failures: 0, deliveredAt: bench.clock.time });
    await bench.dispatcher.closeAll();
  });

  it('tries again after 1 s, doubled up to 15 min, and reports the first failure and the recovery', async () => {
    let failures = 12;
    const bench = new Bench(async () => ((failures -= 1) < 0 ? 'delivered' : { failed: 'It is closed.' }));
    const queue = bench.queue('a', ['1', '2']);
    bench.dispatcher.open(queue);
    await emptied(queue);
    const seconds = bench.delays.map((delay) => delay / MILLISECONDS.second);
    expect(seconds).to.deep.equal([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
    expect(bench.sent).to.deep.equal([...Array<string>(13).fill('1'), '2']);
    expect(bench.notices).to.deep.equal([
      { kind: 'failing', outbox: queue, reason: 'It is closed.' },
      { kind: 'recovered', outbox: queue, failures: 12 },
    ]);
    await bench.dispatcher.closeAll();
  });

  for (const [what, limits, longest] of [
    ['a day', {}, MILLISECONDS.day],
    ['what the outbox allows', { maxRetryAfter: MILLISECONDS.minute }, MILLISECONDS.minute],
  ] as const)
    it(`waits as long as the target asks, at most ${what}, and never less than the back-off`, async () => {
      const asked = [30, 0, 1e9];
      const bench = new Bench(async () => {
        const retryAfter = asked.shift();
        return retryAfter === undefined ? 'delivered' : { failed: 'Too many.', retryAfter };
      });
      const queue = Object.assign(new MessageQueue('a', target('a')), limits);
      queue.add(message('1'));
      bench.dispatcher.open(queue);
      await emptied(queue);
      expect(bench.delays).to.deep.equal([30_000, 2000, longest]);
      await bench.dispatcher.closeAll();
    });

  it('has giveUpAfter anew with a message that comes again after it was given up', async () => {
    const bench = new Bench(async () => ({ failed: 'It is closed.' }));
    const queue = bench.queue('a', []);
    Object.assign(queue, { giveUpAfter: MILLISECONDS.minute });
    const sentUntilGivenUp = async () => {
      const before = bench.sent.length;
      queue.add(message('1'));
      lane.wake();
      await emptied(queue);
      return bench.sent.length - before;
    };
    const lane = bench.dispatcher.open(queue);
    // 1, 2, 4 … 32 s between them, and later 15 minutes.
    expect([await sentUntilGivenUp(), lane.status.givenUp]).to.deep.equal([7, 1]);
    expect([await sentUntilGivenUp(), lane.status.givenUp]).to.deep.equal([2, 2]);
    await bench.dispatcher.closeAll();
  });

  it('gives a message up after a day, and goes on with the next one', async () => {
    const bench = new Bench(async (_, { id }) => (id === '2' ? 'delivered' : { failed: 'It is closed.' }));
    const queue = bench.queue('a', ['1', '2']);
    const lane = bench.dispatcher.open(queue);
    await emptied(queue);
    const givenUp = bench.notices.filter(({ kind }) => kind === 'givenUp');
    expect(givenUp).to.deep.equal([
      { kind: 'givenUp', outbox: queue, message: message('1'), count: 1, reason: 'It is closed.' },
    ]);
    expect(lane.status).to.deep.include({ delivered: 1, givenUp: 1, failures: 0 });
    expect(bench.clock.up).to.be.within(MILLISECONDS.day, MILLISECONDS.day + 30 * MILLISECONDS.minute);
    await bench.dispatcher.closeAll();
  });

  it('gives a message up at once that the target will never take', async () => {
    const bench = new Bench(async (_, { id }) =>
      id === '2' ? 'delivered' : { failed: 'No.', permanent: true },
    );
    const queue = bench.queue('a', ['1', '2']);
    const lane = bench.dispatcher.open(queue);
    while (lane.status.givenUp === 0) await Promise.resolve();
    // It has answered, so it does not fail, but the reason can be read.
    expect(lane.status).to.deep.include({ reason: 'No.', failingSince: null });
    await emptied(queue);
    expect(bench.sent).to.deep.equal(['1', '2']);
    expect(bench.notices.map(({ kind }) => kind)).to.deep.equal(['givenUp']);
    expect(bench.outcomes).to.deep.equal(['a 1 failed', 'a 1 dropped', 'a 2 delivered']);
    await bench.dispatcher.closeAll();
  });

  it('reports a target that fails now and then at most once a minute, with the number of lost messages', async () => {
    const bench = new Bench(async (_, { id }) =>
      Number(id) % 2 === 0 ? 'delivered' : { failed: 'No.', permanent: true },
    );
    const queue = bench.queue(
      'a',
      Array.from({ length: 100 }, (_, index) => String(index)),
    );
    const lane = bench.dispatcher.open(queue);
    await emptied(queue);
    // 50 failures, each followed by a wait of 1 s.
    expect(lane.status.givenUp).to.equal(50);
    expect(bench.notices.map(({ kind }) => kind)).to.deep.equal(['givenUp']);
    bench.clock.up += MILLISECONDS.minute;
    queue.add(message('101'));
    lane.wake();
    await emptied(queue);
    expect(bench.notices.at(-1)).to.deep.include({ kind: 'givenUp', count: 50 });
    await bench.dispatcher.closeAll();
  });

  it('delivers to others while a target does not answer', async () => {
    const bench = new Bench((to, _, signal) =>
      to.kind === 'post' && to.url.includes('slow')
        ? new Promise((resolve) => signal.addEventListener('abort', () => resolve({ failed: 'stopped' })))
        : Promise.resolve('delivered'),
    );
    const slow = bench.queue('slow', ['1']);
    const slowLane = bench.dispatcher.open(slow);
    const queue = bench.queue('fast', ['2', '3']);
    bench.dispatcher.open(queue);
    await emptied(queue);
    await bench.dispatcher.closeAll();
    expect(bench.sent).to.deep.equal(['1', '2', '3']);
    // An attempt that the end of the service interrupts is no failure of the target.
    expect([slow.length, slowLane.status.failures, bench.notices]).to.deep.equal([1, 0, []]);
    expect(bench.outcomes).to.deep.equal(['fast 2 delivered', 'fast 3 delivered']);
  });

  it('delivers a message again whose delivery could not be noted', async () => {
    const bench = new Bench(async () => 'delivered');
    const queue = bench.queue('a', ['1']);
    let isDown = true;
    const failing = {
      name: 'a',
      target: queue.target,
      next: () => queue.next(),
      done: async (what: Message) => {
        if (!isDown) return queue.done(what);
        isDown = false;
        throw new Error('down');
      },
    };
    bench.dispatcher.open(failing);
    await emptied(queue);
    expect(bench.sent).to.deep.equal(['1', '1']);
    await bench.dispatcher.closeAll();
  });

  it('has a limited number of targets, and none after its end', async () => {
    const bench = new Bench(async () => 'delivered');
    const queues = Array.from({ length: MAX_QUEUES }, () => bench.dispatcher.open(bench.queue('a', [])));
    const more = () => bench.dispatcher.open(bench.queue('a', []));
    expect(more).to.throw('There are 100 targets, which is the maximum');
    await bench.dispatcher.close(queues[0] as (typeof queues)[0]);
    expect(more).not.to.throw();
    await bench.dispatcher.closeAll();
    expect(more).to.throw('The service is shutting down.');
  });
});

describe('Messages in memory', () => {
  it('drops the oldest message that is not on its way when there are too many', async () => {
    const queue = new MessageQueue('a', target('a'));
    for (let id = 1; id <= 100; id += 1) expect(queue.add(message(`${id}`))).to.equal(undefined);
    expect(queue.add(message('101'))?.id).to.equal('1');
    const current = await queue.next();
    expect(queue.add(message('102'))?.id).to.equal('3');
    await queue.done(current as Message);
    expect([current?.id, (await queue.next())?.id, queue.length]).to.deep.equal(['2', '4', 99]);
  });
});
