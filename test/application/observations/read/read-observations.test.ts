import { expect } from 'chai';
import sinon from 'sinon';
import { DescribeStation, type StationSnapshot } from '#application/observations/read/describe-station.js';
import { UNLIMITED } from '#application/observations/read/gate/permit.js';
import {
  passing,
  type ReadInput,
  ReadObservations,
  rowsOfDescription,
} from '#application/observations/read/read-observations.js';
import type { ObservationQuery } from '#application/ports/observation-store.js';
import { damagedData } from '#domain/weather/damaged-data.js';
import { MILLISECONDS } from '#domain/time.js';
import type { ObservationBatch } from '#domain/weather/series.js';
import { V } from '#domain/weather/variables.js';
import { domainErrorOf, rejectionOf } from '../../../support/rejection.js';
import { addStation, record } from '../../../support/weather-world.js';
import { World } from '../../../support/world.js';

const { hour } = MILLISECONDS;
const START = Date.parse('2024-03-01T00:00:00Z');
const INPUT: ReadInput = {
  from: undefined,
  to: undefined,
  variables: undefined,
  quality: 'all',
  limit: 4,
  cursor: undefined,
};

describe('pages of observations', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.make();
    await addStation(world);
    await record(world, '2024-03-01T00:00:00Z', { air_temperature: [1, 2, 3, 4, 5, 6, 7, 8, 9] });
  });
  afterEach(() => sinon.restore());

  const describeStation = () => world.get(DescribeStation).execute('JFK');
  const read = async (input: Partial<ReadInput> = {}, place = UNLIMITED) =>
    world.get(ReadObservations).execute(await describeStation(), { ...INPUT, ...input }, place);
  const valuesOf = ({ series }: Awaited<ReturnType<typeof read>>) => [
    ...(series.values.get(V.temperature) ?? []),
  ];

  it('follow each other, in as many parts as the store returns', async () => {
    const { observations } = world.stores;
    const original = observations.read.bind(observations);
    const sizes = [1, 2, 3, 5];
    for (const size of sizes) {
      // The store may return batches of any size.
      sinon.stub(world.stores.observations, 'read').callsFake(async function* (query: ObservationQuery) {
        for await (const batch of original(query))
          for (let from = 0; from < batch.times.length; from += size)
            yield {
              stations: batch.stations.subarray(from, from + size),
              times: batch.times.subarray(from, from + size),
              values: new Map(
                [...batch.values].map(([variable, column]) => [variable, column.subarray(from, from + size)]),
              ),
              flags: new Map(),
            } satisfies ObservationBatch;
      });
      const pages: number[][] = [];
      for await (const page of world.get(ReadObservations).pages(await describeStation(), INPUT))
        pages.push(valuesOf(page));
      expect(pages, `batches of ${size}`).to.deep.equal([[1, 2, 3, 4], [5, 6, 7, 8], [9]]);
      sinon.restore();
    }
    expect((await read({ limit: 9 })).next).to.equal(null);
    expect((await read({ limit: 8 })).next).to.equal(START + 8 * hour);
    expect(valuesOf(await read({ cursor: START + 7 * hour }))).to.deep.equal([8, 9]);
    expect(valuesOf(await read({ from: START + 8 * hour, cursor: START }))).to.deep.equal([9]);
  });

  it('ask for the place of their rows, and charge what they have', async () => {
    const enter = sinon.fake.resolves(undefined);
    const charge = sinon.fake();
    await read({}, { ...UNLIMITED, acquire: enter, charge });
    expect(enter.args).to.deep.equal([[4]]);
    expect(charge.lastCall.args).to.deep.equal([4]);
    await read(
      { limit: 100, variables: ['air_temperature', 'wind_speed'] },
      { ...UNLIMITED, acquire: enter, charge },
    );
    expect(enter.lastCall.args).to.deep.equal([18]);
    expect(charge.lastCall.args).to.deep.equal([18]);
    const signal = AbortSignal.abort(new Error('gone'));
    expect(await rejectionOf(read({}, { ...UNLIMITED, signal }))).to.have.property('message', 'gone');
  });

  it('are whole up to damaged rows, and fail at them', async () => {
    const { observations } = world.stores;
    const original = observations.read.bind(observations);
    const calls: (number | undefined)[] = [];
    // The row at hour 4 and all behind it are damaged.
    sinon.stub(world.stores.observations, 'read').callsFake(async function* (query: ObservationQuery) {
      calls.push(query.rows);
      const most = query.rows ?? Infinity;
      let rows = 0;
      for await (const batch of original({ ...query, to: Math.min(query.to, START + 4 * hour) })) {
        rows += batch.times.length;
        yield batch;
      }
      if (rows < most) throw damagedData('JFK', START + 4 * hour);
    });
    const page = await read();
    expect(valuesOf(page)).to.deep.equal([1, 2, 3, 4]);
    expect(page.next).to.equal(START + 3 * hour + 1);
    expect(calls).to.deep.equal([5, 4]);
    await domainErrorOf(read({ cursor: page.next ?? 0 }), 'DATA_DAMAGED');
    await domainErrorOf(read({ limit: 5 }), 'DATA_DAMAGED');
    expect(valuesOf(await read({ limit: 3 }))).to.deep.equal([1, 2, 3]);
  });

  it('of a station without variables have no rows, unless they may be damaged', async () => {
    await addStation(world, { id: 'LGA', identifiers: {} });
    const described = await world.get(DescribeStation).execute('LGA');
    const calls = sinon.spy(world.stores.observations, 'read');
    const pageOf = (changes: object) =>
      world
        .get(ReadObservations)
        .execute({ ...described, inventory: { ...described.inventory, ...changes } }, INPUT);
    expect((await pageOf({})).series.times).to.have.length(0);
    expect(calls.callCount).to.equal(0);
    await pageOf({ damaged: { first: 0, last: 1 } });
    expect(calls.callCount).to.equal(1);
  });

  it('use the rows of a description if they are those of the query', async () => {
    const { series } = await read({ limit: 100 });
    const described = await describeStation();
    const short = (variables: readonly number[] | undefined): StationSnapshot => ({
      ...described,
      short: { range: { from: 1, to: 9, variables, maxRows: 5 }, rows: series },
    });
    const query = { from: 1, to: 9, variables: [1, 2] };
    expect(rowsOfDescription(described, query, true)).to.equal(undefined);
    expect(rowsOfDescription(short([1, 2]), query, true)).to.deep.equal([series]);
    expect(rowsOfDescription(short([2, 1]), query, true)).to.equal(undefined);
    expect(rowsOfDescription(short(undefined), query, true)).to.equal(undefined);
    expect(rowsOfDescription(short(undefined), query, false)).to.deep.equal([series]);
    expect(rowsOfDescription(short([1, 2]), query, false)).to.equal(undefined);
    expect(rowsOfDescription(short([1, 2]), { ...query, from: 2 }, true)).to.equal(undefined);
    expect(rowsOfDescription(short([1, 2]), { ...query, to: 8 }, true)).to.equal(undefined);
  });

  it('leave out what did not pass, where that is asked for', () => {
    const all = {
      times: Float64Array.of(1, 2, 3),
      values: new Map([
        [1, Float64Array.of(4, 5, 6)],
        [2, Float64Array.of(7, 8, 9)],
      ]),
      flags: new Map([[1, Uint8Array.of(0, 2, 1)]]),
    };
    const found = passing(all);
    expect([...(found.values.get(1) ?? [])]).to.deep.equal([4, NaN, NaN]);
    expect(found.values.get(2)).to.equal(all.values.get(2));
    expect(found.flags.size).to.equal(0);
  });
});
