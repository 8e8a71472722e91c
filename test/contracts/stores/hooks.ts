import { expect } from 'chai';
import fc from 'fast-check';
import { ListHooks } from '#application/hooks/manage/list-hooks.js';
import { RemoveHook } from '#application/hooks/manage/remove-hook.js';
import { SenderLease } from '#application/hooks/sender-lease.js';
import type { Stores } from '#application/ports/stores.js';
import { MILLISECONDS } from '#domain/time.js';
import { HookBench } from '../../support/hook-bench.js';
import { addStation } from '../../support/weather-world.js';
import { CALLER, World } from '../../support/world.js';

/** What may happen to a sender. */
type Step =
  | { readonly kind: 'write'; station: string; rows: number }
  | { readonly kind: 'fail' | 'round' | 'kill' };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('write' as const),
    station: fc.constantFrom('A', 'B'),
    rows: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({ kind: fc.constantFrom('fail' as const, 'round' as const, 'kill' as const) }),
);

/** The rules for hooks, whose sender may end at any time. */
export function hooksContract(opened: () => Stores): void {
  let world: World;
  beforeEach(async () => {
    world = await World.make({}, opened());
    for (const id of ['A', 'B']) await addStation(world, { id, identifiers: {} });
  });

  it('send every row of every station at least once and in order, whenever the sender is killed', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const name = `run-${(run += 1)}`;
        const bench = new HookBench(world);
        await bench.add(name);
        const wanted = new Map<string, string[]>([
          ['A', []],
          ['B', []],
        ]);
        await bench.start();
        for (const one of steps) {
          if (one.kind === 'write')
            for (let row = 0; row < one.rows; row += 1) {
              await bench.write(one.station);
              wanted.get(one.station)?.push(new Date(world.clock.time).toISOString());
            }
          else if (one.kind === 'round') await bench.round();
          else if (one.kind === 'kill') {
            await bench.kill();
            await bench.start();
          } else {
            const before = bench.answer;
            bench.answer =
              before({} as never) === 'delivered' ? () => ({ failed: 'closed' }) : () => 'delivered';
          }
        }
        bench.answer = () => 'delivered';
        const found = (station: string) => [
          ...new Set(bench.received.filter((one) => one.station === station).map(({ time }) => time)),
        ];
        const isDone = () => [...wanted].every(([station, times]) => found(station).length >= times.length);
        while (!isDone()) await new Promise((resolve) => setImmediate(resolve));
        for (const [station, times] of wanted) expect(found(station)).to.deep.equal(times);
        await bench.stop();
        await world.get(RemoveHook).execute(name, CALLER);
      }),
      { numRuns: 12 },
    );
  });

  it('send nothing again after an orderly stop', async () => {
    const bench = new HookBench(world);
    await bench.add('one');
    await bench.start();
    for (const [index, station] of ['A', 'A', 'B'].entries()) {
      await bench.write(station);
      await bench.until(index + 1);
    }
    await bench.stop();
    await bench.start();
    await bench.write('A');
    await bench.until(4);
    expect(bench.received.map(({ station }) => station)).to.deep.equal(['A', 'A', 'B', 'A']);
    await bench.stop();
  });

  it('show what became of their messages, also after the sender has ended', async () => {
    const bench = new HookBench(world);
    await bench.add('one', ['A']);
    const shown = async () => (await world.get(ListHooks).execute())[0];
    bench.answer = () => ({ failed: 'It is closed.' });
    await bench.start();
    await bench.write('A');
    while (bench.notices.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await bench.round();
    const since = (await shown())?.failingSince;
    expect(await shown()).to.deep.include({ deliveredAt: null, reason: 'It is closed.' });
    await bench.kill();
    bench.answer = () => 'delivered';
    await bench.start();
    await bench.until(1);
    await bench.round();
    expect(since).to.equal(world.clock.time);
    expect(await shown()).to.deep.include({ deliveredAt: since, failingSince: null, reason: null });
    await bench.stop();
  });

  it('are sent by one of several instances, and by another one when it has ended', async () => {
    const { clock } = world;
    const [first, second] = [new HookBench(world), new HookBench(world)];
    const lease = (holder: string) => new SenderLease(clock, opened().leases, holder, 'hook-sender');
    await first.add('one');
    await first.start(lease('1'));
    await second.start(lease('2'));
    await first.write('A');
    await first.until(1);
    await first.round();
    // Killed: nobody sends until its lease has ended.
    await first.kill();
    await second.round();
    await second.write('A');
    expect(second.received).to.have.length(0);
    clock.time += 30 * MILLISECONDS.second;
    clock.up += 30 * MILLISECONDS.second;
    await second.round();
    await second.until(1);
    // Stopped: another one may go on at once.
    await second.stop();
    await first.start(lease('3'));
    await first.write('B');
    await first.until(2);
    expect([first.received.map(({ station }) => station), second.times]).to.have.deep.members([
      ['A', 'B'],
      [second.times[0]],
    ]);
    await first.stop();
  });
}
