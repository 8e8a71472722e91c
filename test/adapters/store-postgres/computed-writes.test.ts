import { expect } from 'chai';
import sinon from 'sinon';
import { ComputedWrite } from '#adapters/store-postgres/observations/computed-write.js';
import { PostgresDatabase } from '#adapters/store-postgres/database/postgres-database.js';
import { blockOf } from '#adapters/store-postgres/observations/blocks.js';
import { PostgresObservationStore } from '#adapters/store-postgres/observations/postgres-observation-store.js';
import { postgresStations } from '#adapters/store-postgres/stations/postgres-station-store.js';
import type { StationStore } from '#application/ports/station-store.js';
import type { ObservationBatch } from '#domain/weather/series.js';
import { JFK } from '../../contracts/stores/station-store.js';
import type { TestServer } from '../../support/given-postgres.js';
import { Place } from '../../support/place.js';
import { postgresServer } from '../../support/postgres.js';
import { RoundTrips } from '../../support/round-trips.js';

const MINUTE = 60_000;
const START = Date.UTC(2024, 0, 1);
const MONTH_END = Date.UTC(2024, 1, 1);
/** More rows than a write may have that locks its blocks first. */
const ROWS = 300;
/** So far behind the rows that no rule of quality control compares them. */
const FAR = 100_000;

type Row = readonly [station: number, minute: number, value: number];

interface Instance {
  readonly database: PostgresDatabase;
  readonly observations: PostgresObservationStore;
  readonly stations: StationStore;
}

describe('a large write to PostgreSQL', () => {
  let server: TestServer;
  let place: Place;
  let url: string;
  let instances: Instance[];
  let one: Instance;
  let other: Instance;
  let a: number;
  let b: number;

  before(async () => (server = await postgresServer()));
  beforeEach(begin);
  afterEach(end);

  async function begin() {
    place = await Place.ready('postgres');
    url = place.databaseUrl;
    instances = [];
    one = await open();
    other = await open();
    const made = await one.stations.put(['a', 'b'].map((id) => ({ ...JFK, id })));
    [a, b] = made.map(({ station }) => station.number) as [number, number];
  }
  async function end() {
    sinon.restore();
    await Promise.all(instances.map(({ database }) => database.close()));
    await place.remove();
  }
  async function open(): Promise<Instance> {
    const database = new PostgresDatabase(url);
    await database.open(server.isDistributed);
    const observations = new PostgresObservationStore(database);
    const instance = { database, observations, stations: postgresStations(database) };
    instances.push(instance);
    return instance;
  }

  const write = async ({ observations }: Instance, rows: readonly Row[]) =>
    (await observations.write([{ batch: batchOf(rows) }])).outcomes[0];
  const rowsOf = (station: number, first = 0): Row[] =>
    Array.from({ length: ROWS }, (_, index) => [station, first + index, 10 + (index % 7) / 10]);

  /** What happens after the rows of `a` were computed, and before their block is locked. */
  const events: Readonly<
    Record<string, { readonly isTwice: boolean; readonly happen: () => Promise<unknown> }>
  > = {
    nothing: { isTwice: false, happen: () => Promise.resolve() },
    'rows of another station': { isTwice: false, happen: () => write(other, rowsOf(b)) },
    'two commits of another station': {
      isTwice: false,
      happen: async () => {
        await write(other, rowsOf(b));
        await write(other, rowsOf(b, ROWS));
      },
    },
    'rows of another station that were merged': {
      isTwice: true,
      happen: async () => {
        await write(other, rowsOf(b));
        await other.observations.merge();
      },
    },
    'a merge of the stored rows': { isTwice: false, happen: () => other.observations.merge() },
    'the same rows with other values': {
      isTwice: true,
      happen: () =>
        write(
          other,
          rowsOf(a).map(([station, minute, value]) => [station, minute, value + 1]),
        ),
    },
    'an earlier row that makes the first row a step': {
      isTwice: true,
      happen: () => write(other, [[a, -1, 50]]),
    },
    'an erasure of the stored row': {
      isTwice: true,
      happen: () =>
        other.observations.erase([{ station: a, from: START - 5 * MINUTE, to: START - 1 * MINUTE }]),
    },
    'narrower limits of the station': {
      isTwice: true,
      happen: () =>
        other.stations.put([{ ...JFK, id: 'a', limits: { air_temperature: { min: -90, max: 10.2 } } }]),
    },
    'the removal of the station': { isTwice: true, happen: () => other.stations.remove('a') },
    'daily aggregates of its month': {
      isTwice: true,
      happen: async () => {
        const block = blockOf(a);
        await server.run(
          url,
          `INSERT INTO weatherd.day_table (block, station, start, "end", zone, data)
           VALUES (${block}, ${a}, ${START}, ${MONTH_END}, 'UTC', '')`,
        );
        await server.run(url, `UPDATE weatherd.block SET tables_end = ${MONTH_END} WHERE block = ${block}`);
      },
    },
  };
  for (const [event, { isTwice, happen }] of Object.entries(events)) {
    it(`has the same result before its lock and after ${event}`, async () => {
      const found: unknown[] = [];
      for (const isBetween of [false, true]) {
        if (isBetween) {
          await end();
          await begin();
        }
        await write(one, [
          [a, -2, 10],
          [b, -FAR, 10],
        ]);
        if (isBetween) interrupt(one.database, happen);
        else await happen();
        const compute = sinon.spy(ComputedWrite, 'compute');
        const outcome = await write(one, rowsOf(a));
        const calls = compute.getCalls().map(({ args: [, , , states] }) => states);
        const own = calls.filter((states) => states === calls[0]);
        if (isBetween) expect(own.length).to.equal(isTwice ? 2 : 1);
        compute.restore();
        // The next writes of both instances find the states of the stations.
        await write(other, rowsOf(a, ROWS));
        await write(one, rowsOf(b, 3 * ROWS));
        found.push([outcome, await contentOf(one), await contentOf(other)]);
        await one.observations.merge();
        found.push(await contentOf(one));
      }
      const [expected, expectedMerged, now, nowMerged] = found;
      expect(now).to.deep.equal(expected);
      expect(nowMerged).to.deep.equal(expectedMerged);
    });
  }

  it('does not hold its lock while it computes, so that another instance can write the same block', async () => {
    const compute = ComputedWrite.compute.bind(ComputedWrite);
    const inserted: unknown[] = [];
    sinon
      .stub(ComputedWrite, 'compute')
      .callsFake(compute)
      .onFirstCall()
      .callsFake(async (...parameters) => {
        inserted.push((await write(other, rowsOf(b)))?.inserted);
        return await compute(...parameters);
      });
    inserted.push((await write(one, rowsOf(a)))?.inserted);
    expect(inserted).to.deep.equal([ROWS, ROWS]);
  });

  it('takes three round trips, a small write two, and a merge at most seven', async function () {
    // A distributed database is asked for each block, and prepares its connections.
    if (server.isDistributed) this.skip();
    const trips = async (work: () => Promise<unknown>) => {
      const recorded = new RoundTrips();
      await work();
      return recorded.end().map((texts) => texts.map((text) => /^\w+( \w+ weatherd\.\w+)?/.exec(text)?.[0]));
    };
    await write(one, [
      [a, -2, 10],
      [b, -2, 10],
    ]);
    const insert = ['INSERT INTO weatherd.run', 'INSERT INTO weatherd.block', 'COMMIT'];
    const locked = ['BEGIN', 'SELECT', 'SELECT', 'SELECT'];
    expect(await trips(() => write(one, rowsOf(a)))).to.deep.equal([['SELECT', 'SELECT'], locked, insert]);
    expect(await trips(() => write(one, [[b, 1, 10]]))).to.deep.equal([locked, insert]);
    // The states of stations and their chunks are read and written beside each other.
    const [, begun, ...merged] = await trips(() => one.observations.merge());
    expect(begun).to.deep.equal(['BEGIN', 'SET', 'SELECT']);
    expect(merged.length).to.be.at.most(6);
  });

  /** Makes `event` happen before the next transaction of `database` begins. */
  function interrupt(database: PostgresDatabase, event: () => Promise<unknown>): void {
    const pipelined = database.pipelined.bind(database);
    sinon
      .stub(database, 'pipelined')
      .callThrough()
      .onFirstCall()
      .callsFake(async (work) => {
        await event();
        return await pipelined(work);
      });
  }

  async function contentOf({ observations }: Instance): Promise<unknown> {
    const rows: unknown[] = [];
    for await (const batch of observations.read({ from: -8.64e15, to: 8.64e15 }))
      for (const [row, station] of batch.stations.entries()) {
        const cell = [batch.values.get(1)?.[row], batch.flags.get(1)?.[row] ?? 0];
        rows.push([station, batch.times[row], ...cell]);
      }
    const newest = await observations.newest([a, b]);
    const revisions = newest.map(({ revision, lastSeen }) => [revision, lastSeen]);
    const { rows: aggregates } = await server.run(url, 'SELECT station, start FROM weatherd.day_table');
    return { rows, revisions, aggregates, inventory: await observations.inventory([a, b]) };
  }
});

function batchOf(rows: readonly Row[]): ObservationBatch {
  return {
    stations: Uint32Array.from(rows, ([station]) => station),
    times: Float64Array.from(rows, ([, minute]) => START + minute * MINUTE),
    values: new Map([[1, Float64Array.from(rows, ([, , value]) => value)]]),
    flags: new Map(),
  };
}
