import { expect } from 'chai';
import fc from 'fast-check';
import pg from 'pg';
import sinon from 'sinon';
import { PostgresDatabase } from '#adapters/store-postgres/database/postgres-database.js';
import type { Parameter } from '#adapters/store-postgres/database/query.js';
import { blockOf, openBlocks } from '#adapters/store-postgres/observations/blocks.js';
import { PostgresObservationStore } from '#adapters/store-postgres/observations/postgres-observation-store.js';
import { RunCache } from '#adapters/store-postgres/observations/run-cache.js';
import type { StationStore } from '#application/ports/station-store.js';
import { postgresStations } from '#adapters/store-postgres/stations/postgres-station-store.js';
import type { ObservationStore } from '#application/ports/observation-store.js';
import { eraseRows } from '#application/stations/erase-rows.js';
import { MILLISECONDS } from '#domain/time.js';
import type { ObservationBatch } from '#domain/weather/series.js';
import { isDaily, VARIABLES } from '#domain/weather/variables.js';
import { JFK } from '../../contracts/stores/station-store.js';
import type { TestServer } from '../../support/given-postgres.js';
import { Place } from '../../support/place.js';
import { postgresServer } from '../../support/postgres.js';
import { eventually } from '../../support/process.js';
import { domainErrorOf } from '../../support/rejection.js';
import { PlainRows } from '../../support/plain-rows.js';

const HOUR = 3_600_000;
const START = Date.UTC(2024, 0, 1);

const WAITING = 'SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted';
/** With Citus a session may wait on a worker. */
const WAITING_ANYWHERE = `SELECT sum(result::int)::int AS n FROM run_command_on_all_nodes($$${WAITING}$$)`;

type Row = readonly [station: number, time: number, values: Readonly<Record<number, number>>];

interface Instance {
  readonly database: PostgresDatabase;
  readonly observations: PostgresObservationStore;
  readonly stations: StationStore;
}

describe('PostgresObservationStore', () => {
  let server: TestServer;
  let place: Place;
  let url: string;
  let instances: Instance[];
  let store: PostgresObservationStore;
  let stations: StationStore;
  let a: number;
  let b: number;

  before(async () => (server = await postgresServer()));
  beforeEach(async () => {
    place = await Place.ready('postgres');
    url = place.databaseUrl;
    instances = [];
    ({ observations: store, stations } = await open());
    [a, b] = await makeStations('a', 'b');
  });
  afterEach(async () => {
    sinon.restore();
    await Promise.all(instances.map(({ database }) => database.close()));
    await place.remove();
  });

  async function open(): Promise<Instance> {
    const database = new PostgresDatabase(url);
    await database.open(server.isDistributed);
    const observations = new PostgresObservationStore(database);
    const instance = { database, observations, stations: postgresStations(database) };
    instances.push(instance);
    return instance;
  }
  async function makeStations(...ids: string[]): Promise<[number, number]> {
    const made = await stations.put(ids.map((id) => ({ ...JFK, id })));
    return made.map(({ station }) => station.number) as [number, number];
  }
  const write = async (rows: readonly Row[], into: Pick<ObservationStore, 'write'> = store) =>
    (await into.write([{ batch: batchOf(rows) }])).outcomes[0];
  const select = async <T>(statement: string) => (await server.run(url, statement)).rows as T[];
  /** Does `work` while another session has run `statement` in a transaction that stays open. */
  async function duringTransaction(
    statement: string,
    work: (release: () => Promise<unknown>) => Promise<void>,
  ) {
    const client = new pg.Client(url);
    await client.connect();
    try {
      await client.query('BEGIN');
      await client.query(statement);
      await work(() => client.query('COMMIT'));
    } finally {
      await client.end();
    }
  }
  /** Resolves when this number of sessions wait for a lock. */
  const waiting = (count: number) =>
    eventually(
      () => select<{ n: number }>(server.isDistributed ? WAITING_ANYWHERE : WAITING),
      ([row]) => (row?.n ?? 0) >= count,
    );
  describe('late rows', () => {
    it('are written without reading what lies between them', async () => {
      await write(Array.from({ length: 40_000 }, (_, step): Row => [a, START + step * 600_000, { 1: 10 }]));
      // The newest row makes all other rows late.
      await write([[a, START + 300 * MILLISECONDS.day, { 1: 10 }]]);
      await store.merge();
      const query = sinon.spy(pg.Client.prototype, 'query');
      await write([
        [a, START + 10 * MILLISECONDS.day + 1, { 1: 10.5 }],
        [a, START + 250 * MILLISECONDS.day, { 1: 11 }],
      ]);
      const calls = query.getCalls();
      const results = await Promise.all(calls.map(({ returnValue }) => returnValue as unknown));
      const rows = (results as Partial<pg.QueryResult>[]).map(({ rowCount, command }) =>
        command === 'SELECT' ? (rowCount ?? 0) : 0,
      );
      expect(Math.max(...rows)).to.be.within(2, 20);
      sinon.restore();
      const reading = calls.map(({ args }) => args[0] as unknown as { text: string; values: unknown[] });
      for (const { text, values } of reading.filter((config) => config.text.includes('LATERAL'))) {
        const client = new pg.Client(url);
        await client.connect();
        const { rows: plan } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
        await client.end();
        expect(scannedRows(plan)).to.be.within(2, 40);
      }
    });

    const between: Readonly<Record<string, Readonly<Record<number, number>>>> = {
      'have no value of its variable': { 3: 50 },
      'have values that did not pass': { 1: 900 },
    };
    for (const [what, values] of Object.entries(between)) {
      it(`are compared with the last value that passed, where many rows since then ${what}`, async () => {
        const minute = (count: number) => START + count * 60_000;
        const rows = Array.from({ length: 30 }, (_, index): Row => [a, minute(index + 1), values]);
        // The second value is already in the row when a neighboring row is written.
        await write([[a, minute(0), { 1: 0 }], ...rows, [a, minute(32), { 1: 40 }], [b, START, { 6: 1 }]]);
        await write([[a, minute(31), { 1: 40 }]]);
        await write([[a, minute(32), { 3: 50 }]]);
        const found = (await allRows(store)).filter((row) => row.includes('1=40/'));
        expect(found).to.deep.equal([`${a} ${minute(31)} 1=40/2`, `${a} ${minute(32)} 1=40/2 3=50/0`]);
      });
    }

    it('give the same result as with all stored rows', async () => {
      const anyRow = fc.record({
        station: fc.nat(1),
        // Times are close together, so that several are within the reach of the step check, or years apart.
        time: fc
          .tuple(fc.constantFrom(1750, 1999, 2024), fc.nat(30))
          .map(([year, step]) => Date.UTC(year, 11, 31, 22) + step * 600_000),
        values: fc.dictionary(fc.constantFrom('1', '3', '4', '6'), fc.constantFrom(0, 4, 12, 99, 900), {
          minKeys: 1,
        }),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(anyRow, { minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 5 }),
          async (batches) => {
            for (const id of ['a', 'b']) await stations.remove(id);
            await eraseRows(stations);
            const numbers = await makeStations('a', 'b');
            const reference = new PlainRows(await stations.list());
            for (const batch of batches) {
              const rows = batch.map(({ station, time, values }): Row => [
                numbers[station] as number,
                time,
                values,
              ]);
              expect(await write(rows)).to.deep.equal(await write(rows, reference));
            }
            expect(await allRows(store)).to.deep.equal(await allRows(reference));
            const expected = await reference.inventory(numbers);
            expect(await store.inventory(numbers)).to.deep.equal(expected);
          },
        ),
        { numRuns: 40 },
      );
    });
  });

  describe('blocks', () => {
    /** Makes stations in several blocks. */
    const spread = async () => {
      const made = await stations.put(
        Array.from({ length: 130 }, (_, index) => ({ ...JFK, id: `s${index}` })),
      );
      return [0, 64, 129].map((index) => made[index]?.station.number as number);
    };

    it('have one run each for a commit, and are merged by two instances side by side', async () => {
      const other = (await open()).observations;
      const numbers = await spread();
      for (let hour = 0; hour < 4; hour += 1)
        await write(
          numbers.map((number): Row => [number, START + hour * HOUR, { 1: hour }]),
          hour % 2 === 0 ? store : other,
        );
      const runs = 'SELECT count(*)::int AS runs FROM weatherd.run GROUP BY block';
      expect(await select(runs)).to.deep.equal(numbers.map(() => ({ runs: 4 })));
      const before = await allRows(store);
      await Promise.all([store.merge(), other.merge()]);
      await store.merge();
      expect(await select(runs)).to.deep.equal([]);
      expect(await allRows(store))
        .to.deep.equal(before)
        .and.to.have.length(12);
      expect(await allRows(other)).to.deep.equal(before);
    });

    it('take daily values of several of them, whichever were written before', async () => {
      const daily = VARIABLES.find(({ number }) => isDaily(number))?.number as number;
      const numbers = await spread();
      const [first] = numbers;
      await write([[first as number, START, { [daily]: 1 }]]);
      await store.newest(numbers);
      await write(numbers.map((number): Row => [number, START + MILLISECONDS.day, { 1: 5, [daily]: 2 }]));
      await store.merge();
      await write(numbers.map((number): Row => [number, START + 2 * MILLISECONDS.day, { 1: 5, [daily]: 3 }]));
      expect(await allRows(store)).to.have.length(1 + 2 * numbers.length);
    });

    it('are locked in the same order by writers with any stations, so that none deadlocks', async () => {
      const other = (await open()).observations;
      const numbers = await spread();
      const orders = [numbers, numbers.toReversed(), numbers.slice(0, 2), numbers.slice(1)];
      const all = Array.from({ length: 40 }, (_, index) =>
        write(
          (orders[index % 4] as number[]).map((number): Row => [number, START + index * HOUR, { 1: index }]),
          index % 2 === 0 ? store : other,
        ),
      );
      const inserted = (await Promise.all(all)).reduce((sum, outcome) => sum + (outcome?.inserted ?? 0), 0);
      expect(await allRows(other)).to.have.length(inserted);
    });

    it('go on with writes while a merge is open, with the same rows for every reader', async () => {
      const other = (await open()).observations;
      await write([[a, START, { 1: 1 }]]);
      // The merge waits at its last change.
      await duringTransaction('LOCK TABLE weatherd.newest IN SHARE MODE', async (release) => {
        const merged = store.merge();
        await waiting(1);
        expect(await write([[a, START + HOUR, { 1: 2 }]], other)).to.include({ inserted: 1 });
        expect(await write([[a, START, { 1: 3 }]])).to.include({ updated: 1 });
        await release();
        await merged;
      });
      for (const one of [store, other])
        expect(await allRows(one)).to.deep.equal([`${a} ${START} 1=3/0`, `${a} ${START + HOUR} 1=2/0`]);
    });

    it('are read again if a merger deletes their runs between two statements', async () => {
      await write([[a, START, { 1: 1 }]]);
      const { database } = await open();
      const block = blockOf(a);
      const opened = await database.transaction((query) => {
        let statements = 0;
        const asked = async (text: string, values?: readonly Parameter[]) => {
          const result = await query(text, values);
          statements += 1;
          if (statements === 1) await store.merge();
          return result as never;
        };
        const { isDistributed } = query;
        return openBlocks(Object.assign(asked, { isDistributed }), [block], new RunCache());
      });
      expect(opened.get(block)).to.deep.include({ all: [], merged: 1, last: 1 });
    });

    it('are read from a session that cannot write, as on a standby', async () => {
      await write([[a, START, { 1: 1 }]]);
      await store.merge();
      await write([[a, START + HOUR, { 1: 2 }]]);
      const name = new URL(url).pathname.slice(1);
      const { observations } = await open();
      await server.run('postgres', `ALTER DATABASE ${name} SET default_transaction_read_only = true`);
      const kill = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`;
      await server.run('postgres', kill);
      await eventually(
        () => allRows(observations).catch(() => []),
        (rows) => rows.length === 2,
      );
      expect((await observations.inventory([a]))[0]).to.include({ count: 2, last: START + HOUR });
      expect((await observations.newest([a]))[0]?.lastSeen).to.equal(START + HOUR);
      expect((await observations.describe('a'))?.inventory.count).to.equal(2);
    });
  });

  describe('totals', () => {
    it('are read without reading rows', async () => {
      await write([
        [a, START, { 1: 1, 3: 50 }],
        [a, START + MILLISECONDS.day, { 6: 1 }],
      ]);
      await store.merge();
      await duringTransaction('LOCK TABLE weatherd.chunk IN ACCESS EXCLUSIVE MODE', async () => {
        expect(await store.inventory([a, b])).to.deep.equal([
          { first: START, last: START + MILLISECONDS.day, count: 2, variables: [1, 3, 6] },
          { first: null, last: null, count: 0, variables: [] },
        ]);
      });
    });

    it('are exact after concurrent writes of many instances', async () => {
      const others = [store, (await open()).observations, (await open()).observations];
      const writes = Array.from({ length: 60 }, (_, index) =>
        write(
          Array.from({ length: 10 }, (_row, row): Row => {
            const slot = (index * 7 + row * 13) % 50;
            return [row % 2 === 0 ? a : b, START + slot * 20 * MILLISECONDS.day, { [(slot % 5) + 1]: index }];
          }),
          others[index % others.length],
        ),
      );
      const inserted = (await Promise.all(writes)).reduce(
        (sum, outcome) => sum + (outcome?.inserted ?? 0),
        0,
      );
      const rows = await allRows(store);
      const found = await store.inventory([a, b]);
      for (const [index, station] of [a, b].entries()) {
        const times = rows.flatMap((row) => {
          const [number, time] = row.split(' ').map(Number);
          return number === station ? [time] : [];
        });
        expect(found[index]).to.include({ count: times.length, first: times[0], last: times.at(-1) });
      }
      expect(found.reduce((sum, { count }) => sum + count, 0)).to.equal(inserted);
    });
  });

  describe('removing a station', () => {
    const left = () =>
      select<{ n: number }>(
        `SELECT (SELECT count(*) FROM weatherd.chunk)::int + (SELECT count(*) FROM weatherd.newest)::int AS n`,
      );

    it('during a write leaves none of its rows', async () => {
      await write([[a, START, { 1: 1 }]]);
      await duringTransaction('LOCK TABLE weatherd.run IN SHARE MODE', async (release) => {
        const written = write([[a, START + HOUR, { 1: 1 }]]);
        await waiting(1);
        const removed = stations.remove('a');
        await waiting(2);
        await release();
        expect(await written).to.include({ inserted: 1 });
        expect(await removed).to.equal(true);
      });
      await eraseRows(stations);
      expect(await left()).to.deep.equal([{ n: 0 }]);
    });

    it('before a write has its rows left out', async () => {
      await write([[a, START, { 1: 1 }]]);
      // The removal waits at its last change, with everything locked that a writer needs.
      await duringTransaction('LOCK TABLE weatherd.upload_key IN SHARE MODE', async (release) => {
        const removed = stations.remove('a');
        await waiting(1);
        const written = write([
          [a, START + HOUR, { 1: 1 }],
          [b, START, { 1: 1 }],
        ]);
        await waiting(2);
        await release();
        await removed;
        expect(await written).to.deep.equal({ inserted: 1, updated: 0, unchanged: 0, unknown: [a] });
      });
      await store.merge();
      await eraseRows(stations);
      expect(await left()).to.deep.equal([{ n: 2 }]);
    });

    it('during a change of the station never deadlocks', async () => {
      const other = (await open()).stations;
      for (let round = 0; round < 20; round += 1) {
        const put = stations.put(['b', 'a'].map((id) => ({ ...JFK, id, name: `round ${round}` })));
        await Promise.all([put, other.remove('a')]);
      }
    });

    it('deletes its rows in parts, each where the last one has ended', async () => {
      const inPieces = postgresStations((await open()).database, 10);
      await write(
        Array.from({ length: 25 }, (_, index): Row => [a, START + index * 100 * MILLISECONDS.day, { 1: 1 }]),
      );
      await write([[b, START, { 1: 1 }]]);
      const query = sinon.spy(pg.Client.prototype, 'query');
      await inPieces.remove('a');
      expect(await inPieces.erased()).to.deep.equal([a]);
      expect(await left()).to.deep.equal([{ n: 25 + 2 }]);
      const more = [];
      do more.push(await inPieces.eraseRows(a));
      while (more.at(-1) === true);
      expect(more).to.deep.equal([true, true, true, false]);
      const results = await Promise.all(query.returnValues as unknown as Promise<pg.QueryResult>[]);
      const deleted = results.filter((result) => result.command === 'DELETE').map(({ rowCount }) => rowCount);
      // With Citus a further statement makes the transaction commit in two phases.
      const mark = server.isDistributed ? [0] : [];
      expect(deleted).to.deep.equal([
        ...mark,
        2,
        1,
        0,
        0,
        1,
        0,
        0,
        0,
        0,
        0,
        10,
        10,
        5,
        // Records of the station, among them those of forecasts.
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        1,
      ]);
      expect(await inPieces.erased()).to.deep.equal([]);
      expect(await left()).to.deep.equal([{ n: 2 }]);
    });

    it('waits for none of its rows, and changes of stations do not wait while they are deleted', async () => {
      await write([[a, START, { 1: 1 }]]);
      await store.merge();
      await duringTransaction(
        `UPDATE weatherd.chunk SET rows = rows WHERE station = ${a}`,
        async (release) => {
          expect(await stations.remove('a')).to.equal(true);
          const erasing = eraseRows(stations);
          await waiting(1);
          await makeStations('a', 'c');
          await release();
          await erasing;
        },
      );
      expect(await left()).to.deep.equal([{ n: 0 }]);
    });

    it('has its rows deleted by two instances at once', async () => {
      await write(
        Array.from({ length: 60 }, (_, index): Row => [a, START + index * MILLISECONDS.day, { 1: 1 }]),
      );
      const both = await Promise.all([open(), open()]);
      const [one, two] = both.map(({ database }) => postgresStations(database, 7)) as [
        StationStore,
        StationStore,
      ];
      await one.remove('a');
      await Promise.all([eraseRows(one), eraseRows(two)]);
      expect(await left()).to.deep.equal([{ n: 0 }]);
      expect(await two.erased()).to.deep.equal([]);
    });
  });

  it('reports whether a write or the store is the cause of a failure', async () => {
    const refused = await domainErrorOf(write([[a, 1e300, { 1: 1 }]]), 'STORE_UNAVAILABLE');
    expect(refused.callOnly).to.equal(true);
    await duringTransaction('LOCK TABLE weatherd.newest', async () => {
      const late = await domainErrorOf(write([[a, START, { 1: 1 }]]), 'STORE_UNAVAILABLE');
      expect(late.callOnly).to.equal(false);
    });
  });
});

function batchOf(rows: readonly Row[]): ObservationBatch {
  const variables = [...new Set(rows.flatMap(([, , values]) => Object.keys(values)))].map(Number);
  const column = (variable: number) =>
    Float64Array.from(rows, ([, , values]) => values[variable] ?? Number.NaN);
  return {
    stations: Uint32Array.from(rows, ([station]) => station),
    times: Float64Array.from(rows, ([, time]) => time),
    values: new Map(variables.map((variable) => [variable, column(variable)])),
    flags: new Map(),
  };
}

/** All rows as text, with values and flags. */
async function allRows(store: Pick<ObservationStore, 'read'>): Promise<string[]> {
  const rows: string[] = [];
  for await (const { stations, times, values, flags } of store.read({ from: -8.64e15, to: 8.64e15 })) {
    for (const [row, time] of times.entries()) {
      const present = [...values].filter(([, column]) => !Number.isNaN(column[row]));
      const texts = present.map(
        ([variable, column]) => `${variable}=${column[row]}/${flags.get(variable)?.[row] ?? 0}`,
      );
      rows.push(`${stations[row]} ${time} ${texts.toSorted().join(' ')}`);
    }
  }
  return rows;
}

/** Number of rows that the scans of a plan have examined. */
function scannedRows(plan: unknown): number {
  if (Array.isArray(plan)) return plan.reduce<number>((sum, part) => sum + scannedRows(part), 0);
  if (typeof plan !== 'object' || plan === null) return 0;
  const node = plan as Record<string, unknown>;
  const rows = (node['Actual Rows'] as number) + ((node['Rows Removed by Filter'] as number) ?? 0) || 0;
  const own = String(node['Node Type']).endsWith('Scan') && node['Relation Name'] !== undefined ? rows : 0;
  return (
    own * ((node['Actual Loops'] as number) ?? 1) +
    Object.values(node).reduce<number>((sum, part) => sum + scannedRows(part), 0)
  );
}
