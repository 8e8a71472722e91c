import { expect } from 'chai';
import sinon from 'sinon';
import { PostgresDatabase } from '#adapters/store-postgres/database/postgres-database.js';
import type { PostgresObservationStore } from '#adapters/store-postgres/observations/postgres-observation-store.js';
import type { Stores } from '#application/ports/stores.js';
import { MILLISECONDS } from '#domain/time.js';
import type { Station } from '#domain/weather/station.js';
import { summedStation } from '#domain/weather/summaries/sums-query.js';
import { V } from '#domain/weather/variables.js';
import { JFK } from '../../contracts/stores/station-store.js';
import { Place } from '../../support/place.js';
import { postgresServer } from '../../support/postgres.js';
import { domainErrorOf } from '../../support/rejection.js';

const { minute, day } = MILLISECONDS;
const START = Date.UTC(2024, 0, 1);
/** Stations of four groups of 64. The sums of each group are computed in a thread. */
const STATIONS = 200;
/** Pages of the rows of the first station. Each is read by a transaction of its own. */
const PAGES = 8;
const ROWS = PAGES * 65_536;
const FEW = 10;

describe('sums of stations of several groups in PostgreSQL', () => {
  let place: Place;
  let stores: Stores;
  let store: PostgresObservationStore;
  let stations: Station[];

  before(async () => {
    place = await Place.ready('postgres');
    stores = await place.open();
    store = stores.observations as PostgresObservationStore;
    const drafts = Array.from({ length: STATIONS }, (_, index) => ({ ...JFK, id: `s${index}` }));
    stations = (await stores.stations.put(drafts)).map(({ station }) => station);
    const numbers = stations.flatMap(({ number }, index) =>
      Array.from({ length: index === 0 ? ROWS : FEW }, () => number),
    );
    let row = 0;
    const times = Float64Array.from(numbers, (number, at) => {
      row = number === numbers[at - 1] ? row + 1 : 0;
      return START + row * minute;
    });
    const values = new Map([[V.temperature, Float64Array.from(times, (_, at) => at % 19)]]);
    await store.write([{ batch: { stations: Uint32Array.from(numbers), times, values, flags: new Map() } }]);
    await store.merge();
  });
  afterEach(() => sinon.restore());
  after(async () => {
    await stores.close();
    await place.remove();
  });

  const ask = (from = 0, to = STATIONS) => {
    const buckets = [{ start: START, end: START + (ROWS / 1440 + 1) * day }];
    const asked = stations.slice(from, to).map((station) => summedStation(station));
    return store.sum({
      stations: asked,
      buckets,
      variables: [V.temperature],
      columns: [V.temperature],
      includeAll: true,
    });
  };
  /** The number of values of each station of a question. */
  const count = async (from?: number, to?: number) => {
    const counts: number[] = [];
    for await (const { at, count: buckets, sums } of ask(from, to))
      for (let index = 0; index < buckets; index += 1)
        counts[at + index] = sums.get(V.temperature)?.[0]?.[index] ?? 0;
    return counts;
  };
  const expected = Array.from({ length: STATIONS }, (_, index) => (index === 0 ? ROWS : FEW));

  /** Ends a question at its first sums, which are those of the second group, because the first one is long. */
  const breakOff = async () => {
    for await (const { count: buckets } of ask()) if (buckets > 0) return;
  };

  it('are whole for more questions than there are threads, beside questions that are broken off', async () => {
    const [found] = await Promise.all([
      Promise.all([count(), count(), count(), count()]),
      ...Array.from({ length: 4 }, breakOff),
    ]);
    for (const one of found) expect(one).to.deep.equal(expected);
  });

  it('are not read on after they were broken off, which is possible after each step', async () => {
    const reading = sinon.spy(PostgresDatabase.prototype, 'reading');
    for await (const { count: buckets } of ask(0, 65)) {
      // The few stations of the second group may be summed before the first step of the first group, but not the first group.
      expect(buckets).to.be.below(32);
      if (buckets === 0) break;
    }
    // The rows of this question are read from the same connections, and after all of them the other question would be read too.
    expect(await count()).to.deep.equal(expected);
    const others = 4;
    expect(reading.callCount).to.be.below(2 * PAGES + others - 2);
  });

  it('are refused for a station with damaged rows, whose rows are set aside, and for this station alone', async () => {
    const broken = stations[150] as Station;
    const server = await postgresServer();
    await server.run(
      place.databaseUrl,
      `UPDATE weatherd.chunk SET data = set_byte(data, length(data) - 1, 99) WHERE station = ${broken.number}`,
    );
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const { message } = await domainErrorOf(count(), 'DATA_DAMAGED');
      expect(message).to.contain('"s150" on 2024-01-01');
    }
    const { rows } = await server.run(place.databaseUrl, 'SELECT kind, stations FROM weatherd.damaged');
    expect(rows).to.deep.equal([{ kind: 'chunk', stations: [broken.number] }]);
    expect(await count(64, 150)).to.deep.equal(expected.slice(64, 150));
  });
});
