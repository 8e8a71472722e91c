import { expect } from 'chai';
import pg from 'pg';
import { PostgresDatabase } from '#adapters/store-postgres/database/postgres-database.js';
import type { PostgresObservationStore } from '#adapters/store-postgres/observations/postgres-observation-store.js';
import type { Stores } from '#application/ports/stores.js';
import { describeRows, hourlyRows } from '../../contracts/stores/erase.js';
import { JFK } from '../../contracts/stores/station-store.js';
import type { TestServer } from '../../support/given-postgres.js';
import { Place } from '../../support/place.js';
import { postgresServer } from '../../support/postgres.js';
import { eventually } from '../../support/process.js';
import { domainErrorOf } from '../../support/rejection.js';

const START = Date.UTC(2024, 1, 28);
const HOUR = 3_600_000;

describe('distribution of PostgreSQL by block', () => {
  let server: TestServer;
  let place: Place;
  let stores: Stores;
  /** Numbers of stations; those of the same hundred are in at most three blocks. */
  let numbers: number[];

  before(async () => (server = await postgresServer()));
  beforeEach(async () => {
    place = await Place.ready('postgres');
    stores = await place.open();
    const ids = Array.from({ length: 512 }, (_, index) => ({ ...JFK, id: `s${index}`, limits: {} }));
    numbers = (await stores.stations.put(ids)).map(({ station }) => station.number);
  });
  afterEach(async () => {
    await stores.close();
    await place.remove();
  });

  const write = (hour: number, stations: readonly number[], importNumber?: number) =>
    stores.observations.write([
      {
        batch: hourlyRows(stations.map((station) => [station, hour, { 1: 5 }])),
        ...(importNumber !== undefined && { importNumber }),
      },
    ]);
  const expected = (hours: readonly number[], stations: readonly number[]) =>
    stations.flatMap((station) => hours.map((hour) => `${station} ${hour}h 1=5`));

  describe('a run whose server commits it after the locks have ended', () => {
    /** Whether something waits for a lock on the server of a block. */
    async function waitsForLock(block: number): Promise<boolean> {
      const statement = 'SELECT FROM pg_locks WHERE NOT granted';
      const { rows } = server.isDistributed
        ? await server.runAt(await server.workerOf(place.databaseUrl, block), statement)
        : await server.run(place.databaseUrl, statement);
      return rows.length > 0;
    }

    /** Does `work` in the block of a station while its newest run is not committed, and then commits it. */
    async function beforeLateCommit(station: number, work: () => Promise<unknown>): Promise<unknown> {
      const client = new pg.Client(place.databaseUrl);
      await client.connect();
      try {
        const block = Math.floor(station / 64);
        await write(1, [station]);
        const { rows } = await client.query(
          'DELETE FROM weatherd.run WHERE block = $1 AND id = 2 RETURNING *',
          [block],
        );
        await client.query('UPDATE weatherd.block SET last = last - 1 WHERE block = $1', [block]);
        await stores.close();
        stores = await place.open();
        await client.query('BEGIN');
        const values = Object.values(rows[0] as object) as unknown[];
        const places = values.map((_value, index) => `$${index + 1}`).join(', ');
        await client.query(`INSERT INTO weatherd.run VALUES (${places})`, values);
        await client.query('UPDATE weatherd.block SET last = last + 1 WHERE block = $1', [block]);
        const worked = work().catch((error: unknown) => error);
        await eventually(() => waitsForLock(block), Boolean);
        await client.query('COMMIT');
        return await worked;
      } finally {
        await client.end();
      }
    }

    it('is not lost if values are erased meanwhile', async () => {
      const [station] = numbers as [number];
      await write(0, [station]);
      const range = { station, from: START, to: START + HOUR, variables: undefined };
      const result = await beforeLateCommit(station, () => stores.observations.erase([range]));
      expect(result).to.have.property('code', 'STORE_UNAVAILABLE');
      expect(await describeRows(stores)).to.deep.equal(expected([0, 1], [station]));
    });

    it('is not left out of tables of days', async () => {
      const [station] = numbers as [number];
      await write(0, [station]);
      const [newest] = await stores.observations.newest([station]);
      const table = {
        start: START,
        end: START + 30 * 24 * HOUR,
        days: 30,
        reportingInterval: null,
        rules: 1,
        unusualMethods: [],
        positionCode: 0,
        routine: new Map<number, number>(),
        sums: new Map(),
      };
      const put = async () =>
        await stores.dailyAggregates.put(station, newest?.revision ?? '', 'UTC', [table]);
      const result = await beforeLateCommit(station, put);
      expect(result).to.have.property('code', 'STORE_UNAVAILABLE');
    });
  });

  describe('on Citus', () => {
    before(function () {
      if (!server.isDistributed) this.skip();
    });

    it('puts the rows of a block on one worker, and keeps a database distributed', async () => {
      const tables = await server.run(
        place.databaseUrl,
        `SELECT count(*)::int AS tables, count(DISTINCT colocation_id)::int AS groups FROM citus_tables
       WHERE citus_table_type = 'distributed' AND distribution_column = 'block'`,
      );
      expect(tables.rows).to.deep.equal([{ tables: 6, groups: 1 }]);
      await stores.close();
      const database = new PostgresDatabase(place.databaseUrl);
      await database.open(false);
      expect(database.isDistributed).to.equal(true);
      await database.close();
      stores = await place.open();
    });

    it('takes the rows of a plain database along', async () => {
      await stores.close();
      await server.run(place.databaseUrl, 'DROP SCHEMA weatherd CASCADE');
      const config = { WEATHERD_DATABASE_DISTRIBUTED: 'false' };
      stores = await place.open(config);
      const drafts = numbers.map((_number, index) => ({ ...JFK, id: `s${index}`, limits: {} }));
      numbers = (await stores.stations.put(drafts)).map(({ station }) => station.number);
      await write(0, numbers);
      await (stores.observations as PostgresObservationStore).merge();
      await write(1, numbers);
      const rows = await describeRows(stores);
      expect(rows).to.have.length(2 * numbers.length);
      await stores.close();
      stores = await place.open();
      expect(await describeRows(stores)).to.deep.equal(rows);
      const left = await server.run(
        place.databaseUrl,
        `SELECT citus_table_size('weatherd.chunk') > 0 AS far, pg_relation_size('weatherd.chunk')::int AS here`,
      );
      expect(left.rows).to.deep.equal([{ far: true, here: 0 }]);
    });

    it('commits rows and tables of the coordinator in two phases', async () => {
      const [station] = numbers as [number];
      const prepared = async (work: () => Promise<unknown>) => {
        const count = async () =>
          Number(
            (await server.run(place.databaseUrl, 'SELECT count(*) FROM pg_dist_transaction')).rows[0].count,
          );
        const before = await count();
        await work();
        return (await count()) - before;
      };
      expect(await prepared(() => write(0, [station]))).to.equal(0);
      const number = await stores.importLog.begin('key', 'file.csv', 1);
      expect(await prepared(() => write(1, [station], number))).to.equal(1);
      await stores.importLog.end(number, 2);
      expect(await prepared(() => stores.observations.undo(number))).to.equal(1);
      expect(await prepared(() => stores.stations.remove('s0'))).to.equal(1);
    });

    it('serves the other blocks while a worker is away, and loses nothing', async () => {
      const name = new URL(place.databaseUrl).pathname.slice(1);
      const worker = await server.workerOf(place.databaseUrl, Math.floor((numbers[0] as number) / 64));
      const others: number[] = [];
      for (const number of numbers)
        if ((await server.workerOf(place.databaseUrl, Math.floor(number / 64))) !== worker)
          others.push(number);
      const own = numbers.filter((number) => !others.includes(number));
      expect(others).not.to.have.length(0);
      await write(0, numbers);
      // Tables of days and an import in a block that stays, so that late rows, an undo and an erasure touch them.
      const other = others[0] as number;
      const [newest] = await stores.observations.newest([other]);
      const month = {
        start: START,
        end: START + 30 * 24 * HOUR,
        days: 30,
        reportingInterval: null,
        rules: 1,
        unusualMethods: [],
        positionCode: 0,
        routine: new Map<number, number>(),
        sums: new Map(),
      };
      await stores.dailyAggregates.put(other, newest?.revision ?? '', 'UTC', [month]);
      const ownImport = await stores.importLog.begin('key', 'file.csv', 1);
      await write(10, [other], ownImport);
      await stores.importLog.end(ownImport, 2);
      const check = async () => await stores.checks.find((one) => one.name === 'observations')?.check();
      expect(await check()).to.equal(undefined);

      await server.runAt(worker, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
      await server.runAt(
        worker,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
      );
      try {
        for (let attempt = 0; attempt < 3; attempt += 1) {
          expect(await domainErrorOf(write(1, own), 'STORE_UNAVAILABLE')).to.have.property('partOnly', true);
          expect(await domainErrorOf(write(1, numbers), 'STORE_UNAVAILABLE')).to.have.property(
            'partOnly',
            true,
          );
          await domainErrorOf(stores.observations.newest(own), 'STORE_UNAVAILABLE');
          expect((await write(attempt + 2, others)).outcomes[0]).to.include({ inserted: others.length });
          expect(await stores.observations.newest(others)).to.have.length(others.length);
        }
        await (await place.open()).close();
        await write(-1, [other]);
        await stores.observations.undo(ownImport);
        const range = { station: other, from: START - HOUR, to: START, variables: undefined };
        expect((await stores.observations.erase([range])).erased).to.have.length(1);
        expect(await check()).to.match(/^a worker of the database does not answer/);
        await stores.check();
      } finally {
        await server.runAt(worker, `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
      }
      await eventually(check, (detail) => detail === undefined);
      await write(1, numbers);
      const rows = await describeRows(stores);
      expect(rows).to.deep.equal(
        numbers.flatMap((number) => expected(others.includes(number) ? [0, 1, 2, 3, 4] : [0, 1], [number])),
      );
    });
  });
});
