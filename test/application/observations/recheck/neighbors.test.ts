import { expect } from 'chai';
import { Neighbors } from '#application/observations/recheck/neighbors.js';
import { NEIGHBORHOOD } from '#domain/weather/quality/neighborhood.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import type { Station } from '#domain/weather/station.js';
import { addStation } from '../../../support/weather-world.js';
import { World } from '../../../support/world.js';

const { height, maximum, radius } = NEIGHBORHOOD;

describe('the neighbors of a station', () => {
  let world: World;
  beforeEach(async () => (world = await World.make()));
  /** Degrees of latitude, of which one is 111.2 km. */
  const add = (id: string, north: number, elevation: number | null) =>
    addStation(world, { id, identifiers: {}, latitude: 10 + north, elevation });
  const of = async (id: string) => {
    const { byId, byNumber } = await world.get(StationDirectory).current();
    const found = await world.get(Neighbors).of(byId.get(id) as Station);
    return found.map(({ number, distance }) => [byNumber.get(number)?.id, Math.round(distance / 1000)]);
  };

  it('are near, and at about the same known elevation', async () => {
    await add('x', 0, 500);
    await add('same', 0.1, 500);
    await add('higher', 0.2, 500 + height);
    await add('lower', 0.3, 500 - height);
    await add('too-high', 0.1, 501 + height);
    await add('too-low', 0.1, 499 - height);
    await add('opposite', 0.1, -500);
    await add('unknown', 0.1, null);
    await add('far', (radius + 5) / 111.2, 500);
    await add('near', (radius - 5) / 111.2, 500);
    expect(await of('x')).to.deep.equal([
      ['same', 11],
      ['higher', 22],
      ['lower', 33],
      ['near', radius - 5],
    ]);
    expect(await of('unknown')).to.deep.equal([]);
  });

  it('are the nearest ones of many', async () => {
    for (let count = 0; count < maximum + 5; count += 1) await add(`s${count}`, count / 50, 0);
    const names = (await of('s0')).map(([id]) => id);
    expect(names).to.deep.equal(Array.from({ length: maximum }, (_, index) => `s${index + 1}`));
  });
});
