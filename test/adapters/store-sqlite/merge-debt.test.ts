import { expect } from 'chai';
import { MergeDebt } from '#adapters/store-sqlite/levels/merge-debt.js';

describe('MergeDebt', () => {
  it('asks for merging in proportion to writing when there are too many runs, less what was merged meanwhile', () => {
    const debt = new MergeDebt();
    debt.wrote(1000);
    expect(debt.take(1.9), 'few runs').to.equal(0);
    debt.wrote(20);
    expect(debt.take(2), 'too little to begin').to.equal(0);
    debt.wrote(80);
    debt.merged(70);
    expect(debt.take(2)).to.equal(130);
    debt.wrote(40);
    expect(debt.take(3.5)).to.equal(200);
    debt.wrote(400);
    expect(debt.take(10), 'the longest time').to.equal(500);
    expect(debt.take(10)).to.equal(0);
  });
});
