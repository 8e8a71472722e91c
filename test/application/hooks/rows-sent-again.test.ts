import { expect } from 'chai';
import fc from 'fast-check';
import { DeliveredRows, digestOf } from '#application/hooks/observations/delivered-rows.js';
import { rowMessage, rowOf } from '#application/hooks/observations/row-message.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import * as tokens from '#composition/graph/tokens.js';
import { MILLISECONDS } from '#domain/time.js';
import { FLAG } from '#domain/weather/series.js';
import { V } from '#domain/weather/variables.js';
import { HookBench, nextTurn, type ReceivedMessage } from '../../support/hook-bench.js';
import { addStation, record } from '../../support/weather-world.js';
import { World } from '../../support/world.js';

const { minute } = MILLISECONDS;
/** Number of rows that are written and changed. */
const ROWS = 12;
/** Temperatures in °C. Two differ so much that quality control changes the verdicts of the rows near them; 70 fails by itself. */
const VALUES = [10, 10.2, 38, 70] as const;

type Step =
  | { readonly kind: 'write'; readonly row: number; readonly value: number }
  | { readonly kind: 'new' | 'announce' | 'fail' | 'loseReply' | 'work' | 'round' | 'restart' | 'settle' };

const STEPS: fc.Arbitrary<readonly Step[]> = fc.array<Step>(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('write' as const),
        row: fc.nat(ROWS - 1),
        value: fc.constantFrom(...VALUES),
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constantFrom(
          ...(['new', 'announce', 'fail', 'loseReply', 'work', 'round', 'restart', 'settle'] as const),
        ),
      }),
    },
  ),
  { maxLength: 40 },
);

const act = (kind: Exclude<Step['kind'], 'write'>): Step => ({ kind });
const write = (row: number, value: number): Step => ({ kind: 'write', row, value });
const EXAMPLES: readonly Step[][] = [
  // A target that has lost its reply has another value than the one that is known.
  [act('new'), act('settle'), act('loseReply'), write(0, 38), act('settle'), write(0, 10)],
  // Quality control names a day of rows of which none has changed, also after a restart.
  [act('new'), act('new'), act('settle'), act('announce'), act('restart'), act('announce')],
];

describe('Rows that a hook sends again', () => {
  const contentOf = ({ values, verdicts }: Pick<ReceivedMessage, 'values' | 'verdicts'>) =>
    JSON.stringify([values, verdicts]);

  it('are the rows whose values or verdicts the target does not have, whatever happens', async function () {
    this.timeout(60_000);
    await fc.assert(fc.asyncProperty(STEPS, runModel), {
      numRuns: 40,
      examples: EXAMPLES.map((steps): [readonly Step[]] => [steps]),
    });
  });

  async function runModel(steps: readonly Step[]): Promise<void> {
    const world = await World.make();
    await addStation(world, { id: 'A', identifiers: {} });
    readSlowly(world);
    const bench = new HookBench(world);
    await bench.add('one', ['A']);
    /** What the target has of each row: the last message that has reached it, and whether the service knows that it has. */
    const target = new Map<string, { readonly content: string; readonly isKnown: boolean }>();
    const repeated: string[] = [];
    let mode: 'work' | 'fail' | 'loseReply' = 'work';
    bench.answer = (received) => {
      const { time } = received;
      const content = contentOf(received);
      const known = target.get(time);
      if (known?.isKnown === true && known.content === content) repeated.push(`${time} ${content}`);
      if (mode === 'work') target.set(time, { content, isKnown: true });
      else if (mode === 'loseReply') target.set(time, { content, isKnown: false });
      else if (known !== undefined) target.set(time, { ...known, isKnown: false });
      return mode === 'work' ? 'delivered' : { failed: mode };
    };
    const settle = async () => {
      for (let turn = 0; turn < 60; turn += 1) await nextTurn();
    };
    await bench.start();
    const begin = world.clock.time;
    let written = 0;
    try {
      for (const step of steps) {
        if (step.kind === 'new') {
          written += 1;
          await bench.write('A', 1);
        } else if (step.kind === 'announce') await announceAll(world, 1);
        else if (step.kind === 'write') {
          if (step.row >= written) continue;
          const time = new Date(begin + (step.row + 1) * minute).toISOString();
          await record(world, time, { air_temperature: [step.value] }, 'A');
        } else if (step.kind === 'round') await bench.round();
        else if (step.kind === 'settle') await settle();
        else if (step.kind === 'restart') {
          // The rows of a process are announced before it ends.
          await settle();
          await bench.stop();
          await bench.start();
        } else mode = step.kind;
      }
      mode = 'work';
      await bench.round();
      const stored = JSON.stringify(await storedRows(world));
      const received = () =>
        JSON.stringify([...target].map(([time, { content }]) => `${time} ${content}`).toSorted());
      for (let turn = 0; turn < 30 && received() !== stored; turn += 1) await settle();
      expect(received()).to.equal(stored);
      await settle();
      expect(repeated, 'messages with what the target is known to have').to.deep.equal([]);
    } finally {
      await bench.stop();
    }
  }

  it('are sent if they were changed before a start and this is announced after it', async () => {
    const world = await World.make();
    await addStation(world, { id: 'A', identifiers: {} });
    const bench = new HookBench(world);
    await bench.add('one', ['A']);
    await bench.start();
    await bench.write('A', 2);
    await bench.until(2);
    await bench.round();
    await bench.stop();
    await bench.writeUnannounced('A', world.clock.time, 12);
    await bench.start();
    await announceAll(world, 0);
    for (let turn = 0; turn < 100; turn += 1) await nextTurn();
    await bench.stop();
    expect(bench.received.at(-1)?.values).to.deep.equal({ air_temperature: 12 });
  });

  it('are remembered up to a number of rows, of which the oldest of each station are forgotten', () => {
    const rows = new DeliveredRows(4);
    for (const time of [1, 2, 3]) for (const station of [1, 2]) rows.set(station, time, time, 0);
    expect(rows.size).to.equal(4);
    const known = [1, 2].map((station) => [1, 2, 3].filter((time) => rows.digestOf(station, time) === time));
    expect(known).to.deep.equal([
      [2, 3],
      [2, 3],
    ]);
    rows.set(1, 4, 4, 4);
    rows.forget(2, { from: 2, to: 3 });
    expect([rows.size, rows.digestOf(1, 4)]).to.deep.equal([1, 4]);
  });

  it('have a digest of values and verdicts alone', () => {
    const row = (value: number, flags: number, variable: number = V.temperature) =>
      digestOf({ values: [{ variable, value, flags }] });
    expect(row(1, FLAG.step)).to.equal(row(1, FLAG.spike));
    expect(row(0, 0)).to.equal(row(-0, 0));
    expect(row(Infinity, 0)).to.equal(digestOf({ values: [] }));
    const different = [
      row(1, 0),
      row(1, FLAG.step),
      row(1, FLAG.grossRange),
      row(1.1, 0),
      row(1, 0, V.humidity),
    ];
    expect(new Set(different).size).to.equal(different.length);
  });

  /**
   * Announces all rows of the station as changed, as quality control does with a range in which some rows have changed.
   *
   * @param later 1 for a change after all that are stored, 0 for the last one
   */
  async function announceAll(world: World, later: number): Promise<void> {
    const station = (await world.get(StationDirectory).current()).byId.get('A')?.number as number;
    const [newest] = await world.stores.observations.newest([station]);
    const changes = {
      stations: Uint32Array.of(station),
      from: Float64Array.of(world.clock.time - 60 * minute),
      to: Float64Array.of(world.clock.time),
      revisions: Float64Array.of(Number(newest?.revision) + later),
    };
    world.get(tokens.Announcer).announce({ kind: 'observations', changes });
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  }

  /** Rows are received some turns after they were read, as from a thread, so that they can change in between. */
  function readSlowly({ stores }: World): void {
    const { observations } = stores;
    const read = observations.read.bind(observations);
    observations.read = async function* (query) {
      for await (const batch of read(query)) {
        for (let turn = 0; turn < 20; turn += 1) await nextTurn();
        yield batch;
      }
    };
  }

  /** The time and the content of each stored row, as messages have them. */
  async function storedRows(world: World): Promise<string[]> {
    const station = (await world.get(StationDirectory).current()).byId.get('A')?.number as number;
    const rows: string[] = [];
    for await (const batch of world.stores.observations.read({ stations: [station], from: 0, to: Infinity }))
      for (let row = 0; row < batch.times.length; row += 1) {
        const { body } = rowMessage({ hook: 'one', station: 'A', number: station }, rowOf(batch, row));
        const message = JSON.parse(body) as ReceivedMessage;
        rows.push(`${message.time} ${contentOf(message)}`);
      }
    return rows.toSorted();
  }
});
