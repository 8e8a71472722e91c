import { expect } from 'chai';
import fc from 'fast-check';
import { CALM_BELOW, SECTOR_COUNTS, DEFAULT_BOUNDS, WindRose } from '#domain/weather/charts/wind-rose.js';
import { type Series, sliceSeries } from '#domain/weather/series.js';
import { sectorOf } from '#domain/weather/summaries/sectors.js';

const none = Number.NaN;

function winds(rows: readonly (readonly [speed: number, direction: number])[]): Series {
  const values = new Map(
    [6, 7].map((variable, index) => [variable, Float64Array.from(rows, (row) => row[index] ?? none)]),
  );
  return { times: Float64Array.from(rows, (_row, index) => index * 1000), values, flags: new Map() };
}

describe('a wind rose', () => {
  it('has north in the middle of its first sector, from either end of the circle', () => {
    for (const sectors of SECTOR_COUNTS) {
      const half = 180 / sectors;
      for (const direction of [0, 360, 360 - half, 360 - half / 2, half / 2, -half, 720])
        expect(sectorOf(direction, sectors), `${direction}°`).to.equal(0);
      for (const direction of [half, 2 * half, 360 + half, half - 360])
        expect(sectorOf(direction, sectors), `${direction}°`).to.equal(1);
      expect(sectorOf(360 - half - 0.001, sectors)).to.equal(sectors - 1);
      expect(sectorOf(180, sectors)).to.equal(sectors / 2);
    }
  });

  it('puts a bound into the upper class, and a calm in no sector, whatever its direction', () => {
    const rose = new WindRose(16, DEFAULT_BOUNDS.metric);
    rose.add(
      winds([
        [1.9, 0],
        [2, 355],
        [12, 90],
        [CALM_BELOW, 90],
        [0.49, 180],
        [0, none],
        [5, none],
        [none, 270],
        [none, none],
      ]),
    );
    expect([...(rose.counts[0] ?? [])]).to.deep.equal([1, 1, 0, 0, 0, 0]);
    expect([...(rose.counts[4] ?? [])]).to.deep.equal([1, 0, 0, 0, 0, 1]);
    expect(rose.counts[8]?.every((count) => count === 0)).to.equal(true);
    expect([rose.calms, rose.withoutDirection, rose.withoutSpeed]).to.deep.equal([2, 1, 1]);
  });

  it('spreads tens of degrees over the sectors that they touch, so that no sector has more because more tens are in it', () => {
    const tens = Array.from(
      { length: 72 },
      (_ten, index) => [index % 2 === 0 ? 1 : 9, 10 * Math.floor(index / 2)] as const,
    );
    for (const sectors of SECTOR_COUNTS) {
      const rose = new WindRose(sectors, [5]);
      rose.add(winds(tens));
      for (const counts of rose.counts) expect([...counts]).to.deep.equal([36 / sectors, 36 / sectors]);
    }
    const rose = new WindRose(16, []);
    rose.add(
      winds([
        [5, 10],
        [5, 360],
        [5, -10],
      ]),
    );
    expect(rose.counts.map(([count]) => count).filter(Boolean)).to.deep.equal([2.25, 0.375, 0.375]);
    // One other direction shows that they are not tens.
    rose.add(winds([[5, 11]]));
    expect(rose.counts.map(([count]) => count).filter(Boolean)).to.deep.equal([4]);
  });

  it('counts each row once, and the parts of a series as the whole', () => {
    const speed = fc.option(fc.double({ min: 0, max: 40, noNaN: true }), { nil: none });
    const direction = fc.option(fc.double({ min: -1e308, max: 1e308, noNaN: true }), { nil: none });
    const counted = (sectors: number, ...parts: readonly Series[]) => {
      const rose = new WindRose(sectors, [3, 7.5]);
      for (const part of parts) rose.add(part);
      return {
        counts: rose.counts.map((counts) => [...counts]),
        missing: [rose.calms, rose.withoutDirection, rose.withoutSpeed],
      };
    };
    fc.assert(
      fc.property(
        fc.constantFrom(...SECTOR_COUNTS),
        fc.array(fc.tuple(speed, direction)),
        fc.nat(),
        (sectors, rows, cut) => {
          const [series, middle] = [winds(rows), Math.min(cut, rows.length)];
          const whole = counted(sectors, series);
          const known = rows.filter((row) => !row.every(Number.isNaN));
          expect([...whole.counts.flat(), ...whole.missing].reduce((sum, count) => sum + count, 0)).to.equal(
            known.length,
          );
          const parts = [sliceSeries(series, 0, middle), sliceSeries(series, middle, rows.length)];
          expect(counted(sectors, ...parts)).to.deep.equal(whole);
        },
      ),
    );
  });
});
