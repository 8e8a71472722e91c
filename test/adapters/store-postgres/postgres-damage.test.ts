import { expect } from 'chai';
import type { PostgresObservationStore } from '#adapters/store-postgres/observations/postgres-observation-store.js';
import type { Stores } from '#application/ports/stores.js';
import { MILLISECONDS } from '#domain/time.js';
import { JFK } from '../../contracts/stores/station-store.js';
import { Place } from '../../support/place.js';
import { postgresServer } from '../../support/postgres.js';
import { domainErrorOf } from '../../support/rejection.js';

/** Chunks of 64 days begin here. */
const START = Date.UTC(2024, 1, 23);
const HOUR = 3_600_000;
/** Hours of the longest chunk, which a station with so few rows has. */
const LONG = 64 * 24;

describe('damaged observations in PostgreSQL', () => {
  let place: Place;
  let stores: Stores;
  let store: PostgresObservationStore;
  let numbers: number[];

  beforeEach(async () => {
    place = await Place.ready('postgres');
    stores = await place.open();
    store = stores.observations as PostgresObservationStore;
    // The last one is in another block.
    const ids = Array.from({ length: 80 }, (_, index) => ({ ...JFK, id: `s${index}` }));
    const made = (await stores.stations.put(ids)).map(({ station }) => station.number);
    numbers = [0, 1, 79].map((index) => made[index] as number);
  });
  afterEach(async () => {
    await stores.close();
    await place.remove();
  });

  const run = async (statement: string) =>
    (await (await postgresServer()).run(place.databaseUrl, statement)).rows;
  /** Writes a row of each station. */
  const write = (hour: number) =>
    store.write([
      {
        batch: {
          stations: Uint32Array.from(numbers),
          times: Float64Array.from(numbers, () => START + hour * HOUR),
          values: new Map([[1, Float64Array.from(numbers, () => 5)]]),
          flags: new Map(),
        },
      },
    ]);
  const hours = async (station: number, from = -8.64e15) => {
    const found: number[] = [];
    for await (const { times } of store.read({ stations: [numbers[station] as number], from, to: 8.64e15 }))
      found.push(...[...times].map((time) => (time - START) / HOUR));
    return found;
  };
  const damage = (table: string, where: string) =>
    run(`UPDATE weatherd.${table} SET data = set_byte(data, length(data) - 1, 99) WHERE ${where}`);
  const check = () => stores.checks.find(({ name }) => name === 'observations')?.check();
  const reopen = async () => {
    await stores.close();
    stores = await place.open();
    store = stores.observations as PostgresObservationStore;
  };

  it('in a chunk cost its days of its station, and are reported', async () => {
    await write(0);
    await write(LONG);
    await store.merge();
    await damage('chunk', `station = ${numbers[0]} AND day = ${START / MILLISECONDS.day}`);
    expect(await check()).to.equal(undefined);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const error = await domainErrorOf(hours(0), 'DATA_DAMAGED');
      expect(error.message).to.contain('"s0" on 2024-02-23');
    }
    expect(await check()).to.match(
      /^1 rows of observations are damaged, the first of station number \d+ from 2024-02-23 to 2024-04-26/,
    );
    expect(await hours(0, START + LONG * HOUR)).to.deep.equal([LONG]);
    expect(await hours(1)).to.deep.equal([0, LONG]);
    expect((await store.inventory(numbers)).map(({ count }) => count)).to.deep.equal([2, 2, 2]);
  });

  it('in a chunk stop neither writing nor merging', async () => {
    await write(0);
    await store.merge();
    await damage('chunk', `station = ${numbers[0]}`);
    await write(1);
    await write(-1);
    await store.merge();
    expect(await run('SELECT * FROM weatherd.run')).to.deep.equal([]);
    expect(await run('SELECT kind, stations FROM weatherd.damaged')).to.deep.equal([
      { kind: 'chunk', stations: [numbers[0]] },
    ]);
    expect(await hours(1)).to.deep.equal([-1, 0, 1]);
    await domainErrorOf(hours(0), 'DATA_DAMAGED');
  });

  it('in a run affect only the stations of its block, from its first to its last time', async () => {
    await write(0);
    await write(1);
    await damage('run', `block = ${Math.floor((numbers[0] as number) / 64)} AND id = 1`);
    await reopen();
    const [first, , other] = await store.newest(numbers);
    expect([first?.lastSeen, other?.lastSeen]).to.deep.equal([START + HOUR, START + HOUR]);
    expect(first?.revision).not.to.equal(other?.revision);
    await domainErrorOf(hours(0), 'DATA_DAMAGED');
    expect(await hours(0, START + HOUR)).to.deep.equal([1]);
    expect(await hours(2)).to.deep.equal([0, 1]);
    await write(2);
    await store.merge();
    expect(await run('SELECT * FROM weatherd.run')).to.deep.equal([]);
    expect(await hours(1, START + HOUR)).to.deep.equal([1, 2]);
    expect((await store.inventory(numbers)).map(({ count }) => count)).to.deep.equal([2, 2, 3]);
    expect(await check()).to.contain('2 rows');
  });

  it('disappear with their station', async () => {
    await write(0);
    await store.merge();
    await damage('chunk', `station = ${numbers[0]}`);
    await domainErrorOf(hours(0), 'DATA_DAMAGED');
    await stores.stations.remove('s0');
    expect(await run('SELECT * FROM weatherd.damaged')).to.deep.equal([]);
    expect(await check()).to.equal(undefined);
  });
});
