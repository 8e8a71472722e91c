import { expect } from 'chai';
import { UnreadableRows } from '#domain/weather/sent-rows.js';

describe('rows that could not be read', () => {
  it('are noted each, and the first thousand faults are listed', () => {
    const unreadable = new UnreadableRows();
    let texts = 0;
    for (let row = 0; row < 1500; row += 3)
      for (const variable of [0, 5, 7])
        unreadable.add(row, variable, () => `${(texts += 1)} is not a number`);
    expect(unreadable.listed).to.have.length(1000);
    expect(texts).to.equal(1000);
    expect(unreadable.listed[4]).to.deep.equal({ row: 3, variable: 5, text: '5 is not a number' });
    const expected = Array.from({ length: 1500 }, (_, row) => (row % 3 === 0 ? 1 : 0));
    expect([...unreadable.bytes(1500)]).to.deep.equal(expected);
    expect([...unreadable.bytes(7)]).to.deep.equal([1, 0, 0, 1, 0, 0, 1]);
    expect([...new UnreadableRows().bytes(300)]).to.deep.equal(Array.from({ length: 300 }, () => 0));
  });

  it('are noted in any order, wherever they are', () => {
    for (const rows of [[255], [256], [257], [0, 100_000, 300], [512, 511, 513]]) {
      const unreadable = new UnreadableRows();
      for (const row of rows) unreadable.add(row, 1, () => '');
      const found = [...unreadable.bytes(100_001)].flatMap((byte, row) => (byte === 1 ? [row] : []));
      expect(found).to.deep.equal(rows.toSorted((a, b) => a - b));
    }
  });
});
