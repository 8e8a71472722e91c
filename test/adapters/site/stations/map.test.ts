import { expect } from 'chai';
import fc from 'fast-check';
import { sectorIndex, windBarb } from '#adapters/site/client/format/wind.js';
import { clusterStations } from '#adapters/site/client/map/clusters.js';

describe('the clusters of the map', () => {
  it('have each station once, and do not cover each other', () => {
    const coordinate = fc.integer({ min: -2000, max: 2000 });
    fc.assert(
      fc.property(fc.array(fc.tuple(coordinate, coordinate), { maxLength: 200 }), (places) => {
        const stations = places.map(([x, y], index) => ({ id: String(index), x, y }));
        const clusters = clusterStations(stations);
        expect(clusters.flatMap(({ items }) => items)).to.have.members(stations);
        for (const [index, a] of clusters.entries())
          for (const b of clusters.slice(index + 1))
            expect(Math.abs(a.x - b.x) >= 96 || Math.abs(a.y - b.y) >= 64).to.equal(true);
        for (const { items, x, y } of clusters)
          for (const item of items) {
            expect(Math.abs(item.x - x)).to.be.below(96);
            expect(Math.abs(item.y - y)).to.be.below(64);
          }
      }),
    );
  });
});

describe('the picture of the wind', () => {
  it('has barbs as in WMO-No. 485', () => {
    const knots = (speed: number) => windBarb((speed * 1852) / 3600);
    const marks = (path: string | undefined) => ({
      flags: path?.match(/Z/g)?.length ?? 0,
      full: path?.match(/M0 -?\d+L9 -?\d+(?!L)/g)?.filter((part) => !part.endsWith('L')).length ?? 0,
      half: path?.match(/L5 /g)?.length ?? 0,
    });
    expect(knots(2)).to.equal(undefined);
    expect(marks(knots(5)).half).to.equal(1);
    // A half barb alone does not stand at the end of the staff.
    expect(knots(5)).not.to.include('M0 -20L5');
    expect(knots(15)).to.equal('M0 0V-20M0 -20L9 -23M0 -17L5 -19');
    expect(knots(65)).to.equal('M0 0V-20M0 -20L9 -18L0 -16ZM0 -15L9 -18M0 -12L5 -14');
  });

  it('names the sector of a direction', () => {
    expect([0, 11, 12, 180, 348, 349, 360].map(sectorIndex)).to.deep.equal([0, 0, 1, 8, 15, 0, 0]);
  });
});
