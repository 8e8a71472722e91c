import { expect } from 'chai';
import { byStatement } from '#adapters/store-postgres/database/by-statement.js';
import type { Query } from '#adapters/store-postgres/database/query.js';
import { byBlocks } from '#adapters/store-postgres/observations/blocks.js';

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
});
