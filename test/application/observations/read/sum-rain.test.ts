import { expect } from 'chai';
import { SumRain } from '#application/observations/read/current/sum-rain.js';
import { domainErrorOf } from '../../../support/rejection.js';
import { addStation, record } from '../../../support/weather-world.js';
import { World } from '../../../support/world.js';

describe('the rain of the month and the year', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.make();
    await addStation(world);
  });
  const sums = (now: string) => world.get(SumRain).execute('JFK', Date.parse(now));

  it('is that of the calendar of the station', async () => {
    // Amounts at their ends: the first one is of the old year, in New York.
    await record(world, '2024-01-01T05:00:00Z', { precipitation_amount: [64, 1] });
    await record(world, '2024-01-31T12:00:00Z', { precipitation_amount: [2] });
    await record(world, '2024-03-10T12:00:00Z', { precipitation_amount: [4, 8, 16] });
    expect(await sums('2024-03-10T14:00:00Z')).to.deep.equal({ month: 28, year: 31 });
    expect(await sums('2024-02-10T12:00:00Z')).to.deep.equal({ month: null, year: 3 });
    expect(await sums('2024-04-01T03:00:00Z')).to.deep.equal({ month: 28, year: 31 });
    expect(await sums('2024-04-01T05:00:00Z')).to.deep.equal({ month: null, year: 31 });
    expect(await sums('2025-01-01T04:00:00Z')).to.deep.equal({ month: null, year: 31 });
    expect(await sums('2025-01-01T06:00:00Z')).to.deep.equal({ month: null, year: null });
  });

  it('is unknown without amounts, and not 0', async () => {
    expect(await sums('2024-03-10T13:00:00Z')).to.deep.equal({ month: null, year: null });
    await record(world, '2024-03-10T12:00:00Z', { air_temperature: [4] });
    expect(await sums('2024-03-10T13:00:00Z')).to.deep.equal({ month: null, year: null });
    await record(world, '2024-03-10T12:00:00Z', { precipitation_amount: [0] });
    expect(await sums('2024-03-10T13:00:00Z')).to.deep.equal({ month: 0, year: 0 });
    await domainErrorOf(world.get(SumRain).execute('LGA', 0), 'STATION_UNKNOWN');
  });
});
