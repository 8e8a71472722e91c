import { expect } from 'chai';
import sinon from 'sinon';
import { raiseVersion, versionOf } from '#adapters/store/versions.js';
import { runOver } from '#adapters/store-postgres/database/statements.js';
import { PostgresDatabase } from '#adapters/store-postgres/database/postgres-database.js';
import { PostgresObservationStore } from '#adapters/store-postgres/observations/postgres-observation-store.js';
import { postgresStations } from '#adapters/store-postgres/stations/postgres-station-store.js';
import { JFK } from '../../contracts/stores/station-store.js';
import { PostgresServer } from '../../support/postgres.js';

const MINUTE = 60_000;
const DAY = 24 * 60;
const START = Date.UTC(2024, 0, 1);
/** More rows than a write may have that locks its blocks first. */
const ROWS = 300;

type Row = readonly [station: number, minute: number];

/** The server loses its last commits when it stops, like a replica that becomes the primary without them. */
describe('a PostgreSQL server that lacks the last commits of the server before', () => {
  let server: PostgresServer;
  let databases: PostgresDatabase[];
  let url: string;
  let a: number;
  let b: number;

  before(async () => {
    server = await PostgresServer.start(undefined, { synchronous_commit: 'off', wal_writer_delay: '10s' });
  });
  after(() => server.remove());
  beforeEach(async () => {
    databases = [];
    url = await server.newDatabase();
    const made = await postgresStations((await open()).database).put(
      ['a', 'b'].map((id) => ({ ...JFK, id })),
    );
    [a, b] = made.map(({ station }) => station.number) as [number, number];
  });
  afterEach(async () => {
    sinon.restore();
    await Promise.all(databases.map((database) => database.close()));
  });

  async function open() {
    const database = new PostgresDatabase(url);
    databases.push(database);
    await database.open();
    return { database, observations: new PostgresObservationStore(database) };
  }
  const write = async (observations: PostgresObservationStore, rows: readonly Row[]) => {
    const batch = {
      stations: Uint32Array.from(rows, ([station]) => station),
      times: Float64Array.from(rows, ([, minute]) => START + minute * MINUTE),
      values: new Map([[1, new Float64Array(rows.length).fill(10)]]),
      flags: new Map(),
    };
    return (await observations.write([{ batch }])).outcomes[0]?.inserted;
  };
  const rowsOf = (station: number, count: number, step = 1): Row[] =>
    Array.from({ length: count }, (_, index) => [station, index * step]);
  const keepCommits = () => server.run(url, 'CHECKPOINT');

  /** Makes the server lose its last commits before one of the next transactions of `database`, while no connection is in use. */
  function loseCommits(database: PostgresDatabase, call: number, then?: () => Promise<unknown>): void {
    const pipelined = database.pipelined.bind(database);
    sinon
      .stub(database, 'pipelined')
      .callThrough()
      .onCall(call)
      .callsFake(async (work) => {
        await server.halt();
        await server.start();
        await then?.();
        return await pipelined(work);
      });
  }
  async function countOf(observations: PostgresObservationStore, station: number): Promise<number> {
    let count = 0;
    for await (const { times } of observations.read({ stations: [station], from: -8.64e15, to: 8.64e15 }))
      count += times.length;
    return count;
  }

  it('gets the rows of a write that was computed before the change of the server', async () => {
    const { database, observations } = await open();
    await write(observations, [[a, -2]]);
    await keepCommits();
    await write(observations, [[a, 0]]);
    // The new run has the id of the lost run.
    loseCommits(database, 0, async () => write((await open()).observations, [[b, 0]]));
    expect(await write(observations, rowsOf(a, ROWS))).to.equal(ROWS);
    expect(await countOf(observations, a)).to.equal(ROWS + 1);
  });

  it('checks rows by its own rules of stations', async () => {
    const { observations } = await open();
    const limit = async (max: number) =>
      postgresStations((await open()).database).put([
        { ...JFK, id: 'b', limits: { air_temperature: { min: -90, max } } },
      ]);
    await keepCommits();
    await limit(50);
    await write(observations, [[b, 0]]);
    await server.halt();
    await server.start();
    // The new version of the stations has the number of the lost version.
    await limit(5);
    await write(observations, [[b, 0]]);
    const flags: unknown[] = [];
    for await (const batch of observations.read({ from: -8.64e15, to: 8.64e15 }))
      flags.push(batch.flags.get(1)?.[0]);
    expect(flags).to.deep.equal([1]);
  });

  for (const what of ['stations', 'uploadKeys', 'alarms'] as const)
    it(`gives a change of ${what} another version than a change that is lost`, async () => {
      const change = async () => {
        const { database } = await open();
        return await database.transaction(async (query) => {
          await runOver(query, raiseVersion(what));
          return await runOver(query, versionOf(what));
        });
      };
      await keepCommits();
      const lost = await change();
      await server.halt();
      await server.start();
      expect(await change()).to.not.equal(lost);
    });

  it('keeps the rows of a merge whose first steps are lost', async () => {
    const { database, observations } = await open();
    await write(observations, [...rowsOf(a, ROWS, DAY), ...rowsOf(b, ROWS, DAY)]);
    await keepCommits();
    // Each station is merged in a transaction of its own.
    let now = 0;
    sinon.stub(performance, 'now').callsFake(() => (now += 2000));
    loseCommits(database, 1);
    await observations.merge();
    expect([await countOf(observations, a), await countOf(observations, b)]).to.deep.equal([ROWS, ROWS]);
  });
});
