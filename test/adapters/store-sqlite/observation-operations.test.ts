import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { SqliteConnection } from '#adapters/store-sqlite/database/sqlite-connection.js';
import { observationOperations } from '#adapters/store-sqlite/observations/observation-operations.js';
import { NewestTable } from '#adapters/store-sqlite/observations/newest-table.js';
import { ObservationReader } from '#adapters/store-sqlite/observations/observation-reader.js';
import { readOperations } from '#adapters/store-sqlite/observations/read-operations.js';
import { inventoryOf, StationStates } from '#adapters/packed-store/station-states.js';
import { MILLISECONDS } from '#domain/time.js';
import { V } from '#domain/weather/variables.js';

import { JFK } from '../../contracts/stores/station-store.js';
import { received } from '../../support/flipped-file.js';
import { PlainRows } from '../../support/plain-rows.js';
import { putStations } from '../../support/sqlite-stations.js';

const START = Date.UTC(2024, 0, 1);

describe('readOperations', () => {
  it('sum about as many rows in a call as is asked for, and all rows in several calls', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'weatherd-sqlite-'));
    const { database } = new SqliteConnection(join(folder, 'weatherd.db'));
    const { writeObservations, mergeAllRuns } = observationOperations(database);
    const { sums: sum } = readOperations(database);
    // Rows of a day, for stations with successive numbers from 1 on.
    const rates = [480, 2, 480, 0, 480, 960, 96, 1, 1];
    const days = 20;
    putStations(database, ...rates.map((_rate, index) => ({ ...JFK, id: `s${index}` })));
    for (const [index, rate] of rates.entries()) {
      const rows = days * rate;
      const times = Float64Array.from(
        { length: rows },
        (_, row) => START + Math.floor((row * MILLISECONDS.day) / rate),
      );
      const batch = {
        stations: new Uint32Array(rows).fill(index + 1),
        times,
        values: new Map([[V.temperature, new Float64Array(rows).fill(10)]]),
        flags: new Map(),
      };
      if (rows > 0) writeObservations([{ batch }]);
    }
    mergeAllRuns();
    const stations = rates.map((_rate, index) => ({ ...JFK, number: index + 1, routines: [] }));
    const bounds = Float64Array.from(
      { length: 2 * days },
      (_, index) => START + Math.ceil(index / 2) * MILLISECONDS.day,
    );
    for (const limit of [1, 1000, 4000, Infinity]) {
      const counts: number[] = [];
      let calls = 0;
      while (counts.length < rates.length * days) {
        const [station, day] = [Math.floor(counts.length / days), counts.length % days];
        const { sums, count } = received(
          sum({
            stations: stations.slice(station, day === 0 ? undefined : station + 1),
            bounds: bounds.subarray(2 * day),
            variables: [V.temperature],
            columns: [V.temperature],
            includeAll: true,
            pageRows: 500,
            limit,
          }),
        );
        const own = [...(sums.get(V.temperature)?.[0] ?? [])];
        // A call reads whole chunks, and reads until it has a whole day.
        expect(own.reduce((total, rows) => total + rows, 0)).to.be.at.most(limit + 2 * Math.max(...rates));
        expect(own).to.have.lengthOf(count);
        counts.push(...own);
        calls += 1;
      }
      expect(counts).to.deep.equal(rates.flatMap((rate) => Array.from({ length: days }, () => rate)));
      if (limit === Infinity) expect(calls).to.equal(1);
    }
    database.close();
    await rm(folder, { recursive: true });
  });
});

describe('observationOperations', () => {
  it('keep nothing of a write that failed because of a full disk', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'weatherd-sqlite-'));
    const { database } = new SqliteConnection(join(folder, 'weatherd.db'));
    const { writeObservations, mergeAllRuns } = observationOperations(database);
    putStations(database, JFK);
    const station = 1; // The first number in a new file.
    const rows = (from: number, count: number) => ({
      batch: {
        stations: new Uint32Array(count).fill(station),
        times: Float64Array.from({ length: count }, (_, row) => START + (from + row) * 600_000),
        values: new Map([[1, Float64Array.from({ length: count }, (_, row) => Math.sin(row))]]),
        flags: new Map(),
      },
    });
    writeObservations([rows(0, 10)]);
    const pages = database.pragma('page_count', { simple: true }) as number;
    database.pragma(`max_page_count = ${pages + 4}`);
    expect(() => writeObservations([rows(10, 50_000)])).to.throw('full');
    database.pragma('max_page_count = 1000000');
    const { result } = writeObservations([rows(10, 20)]);
    expect(result?.outcomes[0]).to.include({ inserted: 20, updated: 0 });
    mergeAllRuns();
    const { state } = new StationStates(new NewestTable(database)).of(
      station,
      new ObservationReader(database).snapshot(),
    );
    expect(state.lastSeen).to.equal(START + 29 * 600_000);
    database.close();
    await rm(folder, { recursive: true });
  });

  it('merge at least one station each time, and report their progress', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'weatherd-sqlite-'));
    const { database } = new SqliteConnection(join(folder, 'weatherd.db'));
    const { writeObservations, mergeRuns } = observationOperations(database, undefined, -1);
    putStations(database, ...['a', 'b', 'c'].map((id) => ({ ...JFK, id })));
    const write = (stations: readonly number[], minute = 0) =>
      writeObservations([
        {
          batch: {
            stations: Uint32Array.from(stations),
            times: new Float64Array(stations.length).fill(START + minute * 60_000),
            values: new Map([[1, new Float64Array(stations.length)]]),
            flags: new Map(),
          },
        },
      ]);
    write([1, 2]);
    write([3]);
    expect(mergeRuns()).to.deep.equal({ run: 1, stations: 1 });
    // This run is not merged with the others.
    write([1], 1);
    expect(mergeRuns()).to.deep.equal({ run: 1, stations: 2 });
    expect(mergeRuns()).to.equal(undefined);
    expect(new ObservationReader(database).snapshot().all.map(({ id }) => id)).to.deep.equal([3]);
    expect(mergeRuns()).to.equal(undefined);
    database.close();
    await rm(folder, { recursive: true });
  });

  it('split a write of many late rows into commits, with the same result as one commit', async () => {
    const anyRow = fc.record({
      station: fc.nat(3),
      day: fc.integer({ min: 0, max: 200 }),
      minute: fc.constantFrom(0, 10, 20),
      temperature: fc.integer({ min: 100, max: 105 }).map((tenths) => tenths / 10),
    });
    const commits = fc.array(
      fc.array(fc.array(anyRow, { minLength: 1, maxLength: 80 }), { minLength: 1, maxLength: 3 }),
      {
        minLength: 1,
        maxLength: 4,
      },
    );
    await fc.assert(
      fc.asyncProperty(commits, async (sent) => {
        const folder = await mkdtemp(join(tmpdir(), 'weatherd-sqlite-'));
        const { database } = new SqliteConnection(join(folder, 'weatherd.db'));
        // Each reading of the clock marks the end of a commit.
        const { writeObservations, continueWrite } = observationOperations(database, -1);
        const made = putStations(database, ...['a', 'b', 'c'].map((id) => ({ ...JFK, id })));
        const reference = new PlainRows(made.map(({ station }) => station));
        const numbers = [...made.map(({ station }) => station.number), 4711];
        for (const commit of sent) {
          const writes = () =>
            commit.map((rows) => ({
              batch: {
                stations: Uint32Array.from(rows, ({ station }) => numbers[station] as number),
                times: Float64Array.from(
                  rows,
                  ({ day, minute }) => START + day * MILLISECONDS.day + minute * 60_000,
                ),
                values: new Map([[1, Float64Array.from(rows, ({ temperature }) => temperature)]]),
                flags: new Map(),
              },
            }));
          let written = writeObservations(writes());
          while (written.result === undefined) written = continueWrite(written.number);
          expect(written.result.outcomes.map(sortUnknown)).to.deep.equal(
            (await reference.write(writes())).outcomes.map(sortUnknown),
          );
        }
        const reader = new ObservationReader(database);
        const states = new StationStates(new NewestTable(database));
        for (const { station } of made) {
          const { number } = station;
          const found = reader.read(
            number,
            START,
            START + 300 * MILLISECONDS.day,
            undefined,
            Infinity,
            reader.snapshot(),
          );
          const expected = reference.seriesOf(number);
          expect([...found.series.times]).to.deep.equal([...expected.times]);
          expect([...(found.series.values.get(1) ?? [])]).to.deep.equal([...(expected.values.get(1) ?? [])]);
          const [inventory] = await reference.inventory([number]);
          expect(inventoryOf(states.of(number, reader.snapshot()))).to.deep.equal(inventory);
        }
        database.close();
        await rm(folder, { recursive: true });
      }),
      { numRuns: 25 },
    );
  });

  it('drop tables of days that were made between two parts of a write', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'weatherd-sqlite-'));
    const { database } = new SqliteConnection(join(folder, 'weatherd.db'));
    const operations = observationOperations(database, -1);
    putStations(database, JFK);
    const station = 1; // The first number in a new file.
    const write = (days: readonly number[]) =>
      operations.writeObservations([
        {
          batch: {
            stations: new Uint32Array(days.length).fill(station),
            times: Float64Array.from(days, (day) => START + day * MILLISECONDS.day),
            values: new Map([[1, new Float64Array(days.length).fill(10)]]),
            flags: new Map(),
          },
        },
      ]);
    write([300]);
    let written = write(Array.from({ length: 100 }, (_, day) => day));
    expect(written.result).to.equal(undefined);
    const states = new StationStates(new NewestTable(database));
    const { revision } = states.of(station, new ObservationReader(database).snapshot());
    const months = [90, 200].map((day) => ({
      station,
      zone: 'UTC',
      start: START + day * MILLISECONDS.day,
      end: START + (day + 30) * MILLISECONDS.day,
      data: Buffer.alloc(1),
    }));
    operations.putDailyAggregates(station, String(revision), months);
    const tables = database.prepare<[], number>('SELECT start FROM day_table').pluck();
    expect(tables.all()).to.have.length(2);
    while (written.result === undefined) written = operations.continueWrite(written.number);
    expect(tables.all()).to.deep.equal([months[1]?.start]);
    database.close();
    await rm(folder, { recursive: true });
  });

  it('merge before they write if merging is behind', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'weatherd-sqlite-'));
    const { database } = new SqliteConnection(join(folder, 'weatherd.db'));
    const { writeObservations } = observationOperations(database);
    putStations(database, JFK);
    const station = 1; // The first number in a new file.
    const runs = database.prepare<[], number>('SELECT count(*) FROM run').pluck();
    let most = 0;
    // Merging is never requested from outside.
    for (let row = 0; row < 50_000 && (runs.get() ?? 0) >= most; row += 1) {
      most = runs.get() ?? 0;
      writeObservations([
        {
          batch: {
            stations: Uint32Array.of(station),
            times: Float64Array.of(START + row * 60_000),
            values: new Map([[1, Float64Array.of(10)]]),
            flags: new Map(),
          },
        },
      ]);
    }
    expect(most).to.be.at.least(128);
    expect(runs.get()).to.be.below(most);
    database.close();
    await rm(folder, { recursive: true });
  });
});

function sortUnknown<T extends { readonly unknown: readonly number[] }>(outcome: T): T {
  return { ...outcome, unknown: outcome.unknown.toSorted((a, b) => a - b) };
}
