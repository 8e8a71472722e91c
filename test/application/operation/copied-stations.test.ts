import { expect } from 'chai';
import { stationGroups } from '#application/operation/copy/copied-stations.js';

describe('stations that are copied together', () => {
  const sizes = (rows: readonly number[]) =>
    [...stationGroups(rows.map((count, number) => ({ number, id: `${number}`, rows: count })))].map((group) =>
      group.map(({ number }) => number),
    );

  it('are all of them, in order, in groups with few rows', () => {
    expect(sizes([])).to.deep.equal([]);
    expect(sizes([1e9])).to.deep.equal([[0]]);
    expect(sizes([1e9, 1, 1e9])).to.deep.equal([[0], [1], [2]]);
    expect(sizes([1, 2, 3])).to.deep.equal([[0, 1, 2]]);
    // As many rows as fit, and one more.
    let most = 1;
    while (sizes([most, 0]).length === 1 && sizes([most, 1]).length === 1) most *= 2;
    let least = most / 2;
    while (most - least > 1) {
      const middle = Math.floor((most + least) / 2);
      if (sizes([middle, 1]).length === 1) least = middle;
      else most = middle;
    }
    expect(sizes([least, 1])).to.deep.equal([[0, 1]]);
    expect(sizes([least, 1, 5])).to.deep.equal([[0, 1], [2]]);
    expect(sizes([least - 4, 5, 5, least + 1])).to.deep.equal([[0, 1], [2], [3]]);
  });

  it('are at most so many stations', () => {
    const groups = sizes(Array.from({ length: 5000 }, () => 0));
    expect(groups.flat()).to.have.length(5000);
    const most = groups[0]?.length ?? 0;
    expect(groups.slice(0, -1).every(({ length }) => length === most)).to.equal(true);
    expect(sizes(Array.from({ length: most }, () => 0))).to.have.length(1);
    expect(sizes(Array.from({ length: most + 1 }, () => 0)).map(({ length }) => length)).to.deep.equal([
      most,
      1,
    ]);
  });
});
