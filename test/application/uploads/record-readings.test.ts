import { expect } from 'chai';
import { RecordReadings } from '#application/uploads/record-readings.js';
import type { SourceReadings } from '#application/uploads/source-readings.js';
import type { DomainError } from '#domain/domain-error.js';
import { rain, reading, rowsOf } from '../../support/uploads-world.js';
import { addStation } from '../../support/weather-world.js';
import { World } from '../../support/world.js';

describe('RecordReadings', () => {
  let world: World;
  let start: number;
  beforeEach(async () => {
    world = await World.make();
    for (const id of ['JFK', 'LGA']) await addStation(world, { id });
    start = world.clock.time;
  });

  const record = (parts: Partial<SourceReadings>) =>
    world.get(RecordReadings).execute({
      source: 'mqtt:weather/loop',
      key: null,
      time: start,
      isReceiveTime: false,
      stations: new Map(),
      ...parts,
    });

  it('writes several stations in one commit, and tells which do not exist', async () => {
    const stations = new Map([
      ['JFK', [reading('air_temperature', 39.02, { unit: '°F' })]],
      ['LGA', [reading('air_temperature', 5)]],
      ['EWR', [reading('air_temperature', 6)]],
    ]);
    expect(await record({ stations })).to.deep.equal({ kind: 'stored', reports: [], unknown: ['EWR'] });
    expect(await rowsOf(world, start)).to.deep.equal([[0, { air_temperature: 3.9 }]]);
    expect(await rowsOf(world, start, 'LGA')).to.deep.equal([[0, { air_temperature: 5 }]]);
    expect((await record({ stations })).kind).to.equal('unchanged');
  });

  it('counts the rain of each source by itself, for a station without other readings too', async () => {
    for (const [source, seconds, day] of [
      ['a', 0, 1],
      ['b', 1, 10],
      ['a', 2, 1.5],
      ['b', 3, 12],
    ] as const) {
      const counters = rain({ day });
      const outcome = await record({
        source,
        time: start + seconds * 1000,
        rain: { station: 'JFK', counters },
      });
      expect(outcome).to.deep.include(seconds === 3 ? { kind: 'stored', otherRain: ['a'] } : {});
    }
    expect(await rowsOf(world, start)).to.deep.equal([
      [2, { precipitation_amount: 0.5 }],
      [3, { precipitation_amount: 2 }],
    ]);
  });

  it('stores the increase of a counter that is mapped, in its own unit', async () => {
    for (const [seconds, value] of [
      [0, 1],
      [1, 1.5],
    ] as const)
      await record({
        time: start + seconds * 1000,
        stations: new Map([['JFK', [reading('precipitation_amount', value, { unit: 'in', counter: true })]]]),
      });
    expect(await rowsOf(world, start)).to.deep.equal([[1, { precipitation_amount: 12.7 }]]);
  });

  it('refuses a time that is more than ten minutes ahead, or that of receipt before the newest value', async () => {
    const stations = new Map([['JFK', [reading('air_temperature', 5)]]]);
    expect(await record({ stations, time: start + 600_001 })).to.include({ kind: 'refused', reason: 'time' });
    expect((await record({ stations, time: start + 600_000 })).kind).to.equal('stored');
    expect(await record({ stations, isReceiveTime: true })).to.include({ kind: 'refused', reason: 'time' });
    expect((await record({ stations })).kind).to.equal('stored');
  });

  it('stores readings at the end of the interval of their station, but not those of receipt or at the end already', async () => {
    await addStation(world, { id: 'JFK', stampInterval: 300 });
    for (const [second, parts] of [
      [0, {}],
      [1, { isReceiveTime: false, isEnd: true }],
      [301, { isReceiveTime: true }],
    ] as const) {
      const stations = new Map([['JFK', [reading('air_temperature', second)]]]);
      expect((await record({ stations, time: start + second * 1000, ...parts })).kind).to.equal('stored');
    }
    expect(await rowsOf(world, start)).to.deep.equal([
      [1, { air_temperature: 1 }],
      [300, { air_temperature: 0 }],
      [301, { air_temperature: 301 }],
    ]);
  });

  it('refuses an unknown variable or unit, and counts nothing then', async () => {
    await record({ rain: { station: 'JFK', counters: rain({ day: 1 }) } });
    for (const wrong of [reading('temperature', 5), reading('air_temperature', 5, { unit: 'mm' })]) {
      const failure = await record({
        time: start + 1000,
        stations: new Map([['JFK', [wrong]]]),
        rain: { station: 'JFK', counters: rain({ day: 2 }) },
      }).catch((error: DomainError) => error.code);
      expect(failure).to.equal('REQUEST_INVALID');
    }
    await record({ time: start + 1000, rain: { station: 'JFK', counters: rain({ day: 2 }) } });
    expect(await rowsOf(world, start)).to.deep.equal([[1, { precipitation_amount: 1 }]]);
  });
});
