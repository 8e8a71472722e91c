import { expect } from 'chai';
import type { PostgresObservationStore } from '#adapters/store-postgres/observations/postgres-observation-store.js';
import type { Stores } from '#application/ports/stores.js';
import { hourlyRows } from '../../contracts/stores/erase.js';
import { JFK } from '../../contracts/stores/station-store.js';
import { Place } from '../../support/place.js';
import { PostgresServer } from '../../support/postgres.js';
import { domainErrorOf } from '../../support/rejection.js';
import { WATCH } from '../../support/verify-watch.js';

/** In two blocks. Their days need several pages. */
const STATIONS = 128;
const HOURS = 72;

describe('a damaged page of a table of PostgreSQL', () => {
  let server: PostgresServer;
  let place: Place;
  let stores: Stores;
  let store: PostgresObservationStore;
  let numbers: number[];

  before(async () => {
    server = await PostgresServer.start();
    place = await Place.make('sqlite');
  });
  after(async () => {
    await stores.close();
    await place.remove();
    await server.remove();
  });

  const reopen = async (url: string) => {
    stores = await place.open({ WEATHERD_DATABASE_URL: url });
    store = stores.observations as PostgresObservationStore;
  };
  const write = (hours: readonly number[], some = numbers) =>
    store.write([
      {
        batch: hourlyRows(
          some.flatMap((station) =>
            hours.map((hour) => [station, hour, { 1: Math.sin(station * hour), 4: Math.cos(hour) }] as const),
          ),
        ),
      },
    ]);
  const count = async (station: number) => {
    let rows = 0;
    for await (const { times } of store.read({ stations: [station], from: 0, to: 8e15 }))
      rows += times.length;
    return rows;
  };
  const check = () => stores.checks.find(({ name }) => name === 'observations')?.check();

  it('is reported, and costs only the rows in it: the others are read, written and merged', async () => {
    const url = await server.newDatabase();
    await reopen(url);
    const drafts = Array.from({ length: STATIONS }, (_, index) => ({ ...JFK, id: `s${index}` }));
    numbers = (await stores.stations.put(drafts)).map(({ station }) => station.number);
    const hours = Array.from({ length: HOURS }, (_, hour) => hour);
    await write(hours);
    await store.merge();
    await stores.close();
    await server.damagePage(url, 'weatherd.chunk');
    await reopen(url);
    const [first, last] = [numbers[0] as number, numbers.at(-1) as number];

    expect(await check()).to.equal(undefined);
    expect(await domainErrorOf(count(first), 'STORE_UNAVAILABLE')).to.have.property('partOnly', true);
    expect(await check()).to.match(/^a page of the database is damaged: invalid page in block 0 of relation/);
    expect(await count(last)).to.equal(HOURS);

    await write([HOURS]);
    for (let attempt = 0; attempt < 3; attempt += 1) await store.merge();
    const { rows } = await server.run(url, 'SELECT DISTINCT block FROM weatherd.run ORDER BY block');
    expect(rows).to.deep.equal([{ block: Math.floor(first / 64) }]);
    expect(await count(last)).to.equal(HOURS + 1);

    const found = await stores.verifier.verify(WATCH);
    const lost = new Set(found?.differences.map(({ station }) => station));
    expect(lost).to.include('s0');
    expect(lost.size).to.be.below(STATIONS / 2);
    expect(found?.differences[0]?.reason).to.match(/^stored rows cannot be read: invalid page in block 0/);
  });
});
