import { expect } from 'chai';
import { FindUsualValues } from '#application/observations/climate/find-usual-values.js';
import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import { FindFacts } from '#application/observations/now/find-facts.js';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import { AddOverride } from '#application/observations/overrides/add-override.js';
import { RemoveOverride } from '#application/observations/overrides/remove-override.js';
import { ResultsByVersion } from '#application/observations/read/results-by-version.js';
import { RemoveValues } from '#application/observations/removal/remove-values.js';
import { EraseStation } from '#application/stations/erase-station.js';
import { RemoveStation } from '#application/stations/remove-station.js';
import { RestoreStation } from '#application/stations/restore-station.js';
import type { ObservationQuery } from '#application/ports/observation-store.js';
import { domainErrorOf } from '../../../support/rejection.js';
import { addStation, record, sentColumns, STATION } from '../../../support/weather-world.js';
import { CALLER, World } from '../../../support/world.js';

const HOUR = 3_600_000;
const { latitude, longitude, elevation } = STATION;
const DAY_OF_HOURS = { from: '07-18', to: '07-18', dayStart: 0 } as const;

describe('results of a version of a station', () => {
  it('are those of the last version only, and the least recently used one is dropped', async () => {
    const kept = new ResultsByVersion<readonly string[]>(2);
    const find = (key: string, version: string) =>
      kept.findOrCompute(key, version, async () => [`${key}${version} computed`]);
    const first = await find('a', '1');
    expect(await find('a', '1')).to.equal(first);
    expect(await find('a', '2')).to.deep.equal(['a2 computed']);
    expect(kept.find('a', '1')).to.equal(undefined);
    await find('b', '1');
    await find('a', '2');
    await find('c', '1');
    expect([kept.find('a', '2'), kept.find('b', '1'), kept.find('c', '1')]).to.deep.equal([
      ['a2 computed'],
      undefined,
      ['c1 computed'],
    ]);
    const failure = new Error('no data');
    expect(await kept.findOrCompute('d', '1', () => Promise.reject(failure)).catch(String)).to.contain(
      'no data',
    );
    expect(kept.find('d', '1')).to.equal(undefined);
  });

  it('are kept up to a sum of their sizes, and a larger one alone', () => {
    const kept = new ResultsByVersion<Uint8Array>(10, ({ length }) => length);
    const sizes = () => ['a', 'b', 'c', 'd'].map((key) => kept.find(key, '1')?.length);
    const store = (key: string, length: number) => kept.store(key, '1', new Uint8Array(length));
    store('a', 4);
    store('b', 6);
    expect(sizes()).to.deep.equal([4, 6, undefined, undefined]);
    store('a', 5);
    expect(sizes()).to.deep.equal([5, undefined, undefined, undefined]);
    store('c', 5);
    store('d', 11);
    expect(sizes()).to.deep.equal([undefined, undefined, undefined, 11]);
    store('b', 10);
    expect(sizes()).to.deep.equal([undefined, 10, undefined, undefined]);
  });

  it('are computed once for calls at the same time, but a failure is only of its own caller', async () => {
    const kept = new ResultsByVersion<readonly string[]>(9);
    let computations = 0;
    const compute =
      (text: string, fails = false) =>
      async () => {
        computations += 1;
        await Promise.resolve();
        if (fails) throw new Error(text);
        return [text];
      };
    const find = (version: string, text: string, fails = false) =>
      kept.findOrCompute('a', version, compute(text, fails)).catch(String);
    const same = await Promise.all([find('1', 'first'), find('1', 'second'), find('1', 'third')]);
    expect([same, computations]).to.deep.equal([[['first'], ['first'], ['first']], 1]);
    const other = await Promise.all([find('2', 'old'), find('3', 'new'), find('3', 'newer')]);
    expect([other, computations]).to.deep.equal([[['old'], ['new'], ['new']], 3]);
    const failed = await Promise.all([find('4', 'gone', true), find('4', 'fourth'), find('4', 'fifth')]);
    expect([failed, computations]).to.deep.equal([['Error: gone', ['fourth'], ['fifth']], 6]);
    expect([await find('4', 'unused'), computations]).to.deep.equal([['fifth'], 6]);
  });

  it('are kept for the usual hours and the facts of a page, and follow every change of old and new rows', async () => {
    const world = await World.make();
    await addStation(world, { timeZone: 'UTC' });
    for (const year of [2014, 2015, 2016, 2017, 2018])
      await record(world, `${year}-07-08T00:00:00Z`, {
        air_temperature: Array.from({ length: 400 }, (_, hour) => year - 2000 + (hour % 24) / 8),
      });
    let reads = 0;
    const { observations } = world.stores;
    const read = observations.read.bind(observations);
    observations.read = (query: ObservationQuery) => {
      reads += 1;
      return read(query);
    };
    const results = async () => {
      const described = await world.get(DescribeStation).execute('JFK');
      const { hours } = await world.get(FindUsualValues).hours(described, DAY_OF_HOURS);
      return JSON.stringify([hours, await world.get(FindFacts).execute(described)]);
    };
    const shown = async () => {
      const computed = await results();
      reads = 0;
      expect(await results()).to.equal(computed);
      expect(reads).to.equal(0);
      return computed;
    };
    const setTo = (value: number, day: string, days: number) => {
      const hours = Array.from({ length: 24 * days }, (_, hour) => Date.parse(day) + hour * HOUR);
      const columns = sentColumns({ air_temperature: hours.map(() => value) });
      const rows = { stations: 'JFK', times: Float64Array.from(hours), columns };
      return world.get(RecordObservations).execute(rows, CALLER);
    };
    const atFirst = await shown();
    await setTo(16, '2014-07-11', 10);
    const corrected = await shown();
    await world.get(RemoveValues).execute('JFK', { from: '2014-07-18', to: '2014-07-19' }, CALLER, {});
    const removed = await shown();
    const bad = { verdict: 'bad', reason: 'A spider.', variable: 'air_temperature' } as const;
    const range = { from: '2016-07-12', to: '2016-07-14' };
    const override = await world.get(AddOverride).execute('JFK', { ...bad, ...range }, CALLER);
    const overridden = await shown();
    await world.get(RemoveOverride).execute('JFK', override.id, CALLER);
    expect(await shown()).to.equal(removed);
    // The first row of the next day at the station.
    await record(world, '2018-07-24T16:00:00Z', { air_temperature: Array.from({ length: 10 }, () => 20.5) });
    const continued = await shown();
    const earlier = [
      { latitude, longitude, elevation, until: Date.parse('2017-01-01'), reportingInterval: 1200 },
    ];
    await addStation(world, { timeZone: 'UTC', earlier });
    const withHistory = await shown();
    await addStation(world, { timeZone: 'UTC', reportingInterval: 1200 });
    const changed = await shown();
    const all = [atFirst, corrected, removed, overridden, continued, withHistory, changed];
    expect(new Set(all).size).to.equal(all.length);
    await world.get(RemoveStation).execute('JFK', CALLER);
    await domainErrorOf(world.get(DescribeStation).execute('JFK'), 'STATION_UNKNOWN');
    await world.get(RestoreStation).execute('JFK', CALLER);
    expect(await shown()).to.equal(changed);
    await world.get(RemoveStation).execute('JFK', CALLER);
    await world.get(EraseStation).execute('JFK', CALLER);
    await addStation(world, { timeZone: 'UTC' });
    await setTo(5, '2014-07-18', 1);
    expect(await shown())
      .to.contain('"value":5')
      .and.not.contain('20.5');
  });
});
