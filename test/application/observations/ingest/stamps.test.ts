import { expect } from 'chai';
import { RecordBatches } from '#application/observations/ingest/record-batches.js';
import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import { MILLISECONDS } from '#domain/time.js';
import type { SentRows } from '#domain/weather/sent-rows.js';
import { rowsOf } from '../../../support/uploads-world.js';
import { addStation, sentColumns } from '../../../support/weather-world.js';
import { CALLER, World } from '../../../support/world.js';

const START = Date.UTC(2013, 0, 1);
const HOUR = MILLISECONDS.hour / MILLISECONDS.second;

/** Stations and seconds after `START` of the sent rows, and those of the stored rows of the stations `hourly`, `plain` and `short`. */
interface Case {
  readonly name: string;
  readonly rows: readonly (readonly [station: string, second: number])[];
  readonly atIntervalEnd?: true;
  readonly stored: readonly (readonly number[])[];
}

const CASES: readonly Case[] = [
  {
    name: 'moves each row to the end of its interval',
    rows: [
      ['hourly', 0],
      ['hourly', HOUR],
    ],
    stored: [[HOUR, 2 * HOUR], [], []],
  },
  {
    name: 'moves the rows of each station of a batch by its own interval',
    rows: [
      ['plain', 0],
      ['hourly', 0],
      ['short', 0],
      ['plain', HOUR],
      ['hourly', 10],
    ],
    stored: [[HOUR, HOUR + 10], [0, HOUR], [600]],
  },
  {
    name: 'leaves rows of other stations where they are',
    rows: [
      ['plain', 0],
      ['plain', 5],
    ],
    stored: [[], [0, 5], []],
  },
  {
    name: 'leaves times that their source has called the end',
    rows: [
      ['hourly', 0],
      ['short', 7],
    ],
    atIntervalEnd: true,
    stored: [[0], [], [7]],
  },
];

describe('stations whose times are the beginning of an interval', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.make();
    await addStation(world, { id: 'hourly', stampInterval: HOUR });
    await addStation(world, { id: 'plain' });
    await addStation(world, { id: 'short', stampInterval: 600 });
  });

  const sentOf = async (
    rows: Case['rows'],
    { areNumbers, ...ends }: { areNumbers: boolean; atIntervalEnd?: true },
  ) => {
    const stations = await Promise.all(rows.map(([id]) => world.stores.stations.find(id)));
    const sent: SentRows = {
      stations: areNumbers
        ? Uint32Array.from(stations, (station) => station?.number ?? 0)
        : rows.map(([id]) => id),
      times: Float64Array.from(rows, ([, second]) => START + second * 1000),
      // An amount and a value of a moment: the whole row is moved.
      columns: sentColumns({ precipitation_amount: rows.map(() => 1), air_temperature: rows.map(() => 5) }),
      ...ends,
    };
    return sent;
  };
  const write = async (sent: SentRows) => {
    async function* batches() {
      yield sent;
    }
    return sent.stations instanceof Uint32Array
      ? await world.get(RecordBatches).execute(batches(), CALLER)
      : await world.get(RecordObservations).execute(sent, CALLER);
  };
  const stored = async () =>
    await Promise.all(['hourly', 'plain', 'short'].map((id) => rowsOf(world, START, id)));

  for (const areNumbers of [false, true]) {
    for (const { name, rows, stored: expected, ...ends } of CASES) {
      it(`${name}, and counts each sent row once, ${areNumbers ? 'from frames' : 'from a request'}`, async () => {
        const sent = async () => await sentOf(rows, { areNumbers, ...ends });
        const { length } = rows;
        expect(await write(await sent())).to.include({ inserted: length, updated: 0, rejected: 0 });
        const values = { precipitation_amount: 1, air_temperature: 5 };
        expect(await stored()).to.deep.equal(expected.map((times) => times.map((time) => [time, values])));
        expect(await write(await sent())).to.include({ inserted: 0, updated: 0, unchanged: length });
      });
    }

    it(`refuses an interval that has not ended, ${areNumbers ? 'from frames' : 'from a request'}`, async () => {
      const now = (world.clock.time - START) / 1000;
      const rows = [
        ['hourly', now - HOUR + 600],
        ['hourly', now - HOUR + 601],
        ['plain', now],
      ] as const;
      const receipt = await write(await sentOf(rows, { areNumbers }));
      expect(receipt).to.include({ inserted: 2, rejected: 1 });
      expect(receipt.rejections).to.deep.equal([
        { row: 1, reason: 'time', variable: 0, text: 'is in the future' },
      ]);
    });
  }

  it('does not change the times of the sender, who may send them again', async () => {
    const sent = await sentOf([['hourly', 0]], { areNumbers: false });
    await write(sent);
    expect([...sent.times]).to.deep.equal([START]);
  });
});
