import { expect } from 'chai';
import { ContinueDemo } from '#application/demo/continue-demo.js';
import { DemoStations } from '#application/demo/demo-stations.js';
import { FindStations } from '#application/stations/find-stations.js';
import { ListStations } from '#application/stations/list-stations.js';
import { Neighbors } from '#application/observations/recheck/neighbors.js';
import { PutStations } from '#application/stations/put-stations.js';
import { RemoveStation } from '#application/stations/remove-station.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import * as tokens from '#composition/graph/tokens.js';
import { MILLISECONDS } from '#domain/time.js';
import type { Station } from '#domain/weather/station.js';
import { recordedYear } from '#domain/weather/stations/demo.js';
import { addStation, STATION } from '../../support/weather-world.js';
import { CALLER, World } from '../../support/world.js';

const { hour, day } = MILLISECONDS;

describe('The stations of the demo', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.make();
    world.clock.time = Date.parse('2026-02-27T12:34:56Z');
  });

  const make = (kind: 'live' | 'measured' = 'live') => world.get(DemoStations).make(kind, CALLER);
  const next = () => world.get(ContinueDemo).execute();
  const remove = async () => (await world.get(DemoStations).remove(CALLER)).map(({ id }) => id);
  const station = async (id = 'JFK-live') =>
    (await world.get(StationDirectory).current()).byId.get(id) as Station;
  const timesOf = async (id?: string) => {
    const times: number[] = [];
    const query = { stations: [(await station(id)).number], from: -8.64e15, to: 8.64e15 };
    for await (const batch of world.get(tokens.ObservationStore).read(query)) times.push(...batch.times);
    return times;
  };

  it('begin a year ago, end now, and are marked with the year of the recording', async () => {
    expect(await make()).to.deep.equal(['EWR-live', 'JFK-live', 'LGA-live']);
    expect(await next()).to.be.above(3 * 8600);
    const times = await timesOf();
    expect(times.at(-1)).to.equal(Date.parse('2026-02-27T12:00:00Z'));
    expect(times[0]).to.equal(Date.parse('2025-02-26T13:00:00Z'));
    expect(recordedYear(await station())).to.equal(2013);
    expect([await make(), await next()]).to.deep.equal([[], 0]);
  });

  it('go on hour by hour, also after a pause and over 29 February, without gaps and without repeated rows', async () => {
    world.clock.time = Date.parse('2028-02-26T00:00:00Z');
    await make();
    await next();
    const before = await timesOf();
    const from = world.clock.time;
    for (const pause of [10_000, hour, 10_000, 30 * hour, 3 * hour, 5 * day]) {
      world.clock.time += pause;
      await next();
    }
    const added = (await timesOf()).slice(before.length);
    // The recording has no gap in these days.
    const count = Math.floor((world.clock.time - from) / hour);
    expect(added).to.deep.equal(Array.from({ length: count }, (_, index) => from + (index + 1) * hour));
  });

  it('are not needed without live stations', async () => {
    await make('measured');
    expect(await world.get(ContinueDemo).isNeeded()).to.equal(false);
    await make();
    expect(await world.get(ContinueDemo).isNeeded()).to.equal(true);
    await remove();
    expect([await world.get(ContinueDemo).isNeeded(), await next()]).to.deep.equal([false, 0]);
  });

  it('are removed, also those that were removed before, but no station that the demo has not made', async () => {
    await addStation(world, { id: 'cam-live', identifiers: {} });
    await make();
    await make('measured');
    await world.get(RemoveStation).execute('LGA', CALLER);
    expect(await remove()).to.have.members(['EWR', 'JFK', 'LGA', 'EWR-live', 'JFK-live', 'LGA-live']);
    expect((await world.get(ListStations).execute()).map(({ id }) => id)).to.deep.equal(['cam-live']);
    expect(await remove()).to.deep.equal([]);
    expect(await make()).to.have.length(3);
  });

  it('are not made if a station of a user has one of the ids', async () => {
    for (const [id, kind] of [
      ['JFK', 'measured'],
      ['LGA-live', 'live'],
    ] as const) {
      await addStation(world, { id, identifiers: {} });
      const refusal = await make(kind).catch((error: unknown) => error);
      expect(String(refusal)).to.contain(`The station "${id}" exists already and was not made by the demo`);
    }
    expect(await world.get(ListStations).execute()).to.have.length(2);
  });

  it('keep their mark when a user replaces their settings', async () => {
    await make();
    await world.get(PutStations).execute([{ ...STATION, id: 'JFK-live' }], CALLER);
    expect((await station()).demo).to.equal('live');
  });

  it('are neighbors only of stations of the same kind', async () => {
    await make();
    await make('measured');
    await addStation(world, { id: 'own', identifiers: {}, latitude: 40.64 });
    const neighbors = new Neighbors(world.get(tokens.StationSearch));
    const { byNumber } = await world.get(StationDirectory).current();
    const near = async (id: string) =>
      (await neighbors.of(await station(id))).map(({ number }) => byNumber.get(number)?.id);
    expect(await near('own')).to.deep.equal([]);
    expect(await near('JFK-live')).to.have.members(['EWR-live', 'LGA-live']);
    expect(await near('JFK')).to.have.members(['EWR', 'LGA']);
    expect((await world.get(FindStations).execute({}, 0, 10)).stations).to.have.length(7);
  });
});
