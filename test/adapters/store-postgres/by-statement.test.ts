import { expect } from 'chai';
import fc from 'fast-check';
import { dailySeriesOf } from '#adapters/packed-store/days/daily-series.js';
import { byStatement } from '#adapters/store-postgres/database/by-statement.js';
import type { Query } from '#adapters/store-postgres/database/query.js';
import { blockOf, byBlocks } from '#adapters/store-postgres/observations/blocks.js';

describe('statements and transactions by block', () => {
  const database = (isDistributed: boolean) => ({ isDistributed }) as Query;
  const places = [
    [1, 'a'],
    [2, 'b'],
    [1, 'c'],
  ] as const;

  it('are one statement for all places, and in a distributed database one for each block', () => {
    const of = (isDistributed: boolean, some: readonly (readonly [number, string])[] = places) =>
      byStatement(database(isDistributed), some, ([block]) => block, 'place.block');
    expect(of(false)).to.deep.equal([[places, 'place.block']]);
    expect(of(true)).to.deep.equal([
      [[places[0], places[2]], '1'],
      [[places[1]], '2'],
    ]);
    expect(of(true, [])).to.deep.equal([]);
    expect(of(false, [])).to.deep.equal([]);
  });

  it('are transactions of a few blocks each', () => {
    const stations = [200, 64, 1, 63, 64, 127, 128];
    expect(byBlocks(stations, 1)).to.deep.equal([[1, 63], [64, 127], [128], [200]]);
    expect(byBlocks(stations, 3)).to.deep.equal([[1, 63, 64, 127, 128], [200]]);
    expect(byBlocks([], 3)).to.deep.equal([]);
  });

  it('have both series of the stations of a block together', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 400 }), fc.boolean())),
        fc.integer({ min: 1, max: 3 }),
        (chosen, size) => {
          const series = chosen.map(([station, isDaily]) => (isDaily ? dailySeriesOf(station) : station));
          const groups = byBlocks(series, size);
          const blocks = groups.map((own) => [...new Set(own.map(blockOf))]);
          const all = blocks.flat();
          expect(all).to.deep.equal([...new Set(series.map(blockOf))].sort((a, b) => a - b));
          for (const [index, own] of blocks.entries())
            expect(own.length).to.equal(Math.min(size, all.length - index * size));
          expect(groups.flat()).to.have.members([...new Set(series)]);
        },
      ),
    );
  });
});
