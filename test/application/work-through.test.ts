import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { mapTogether } from '#application/work-through.js';
import { rejectionOf } from '../support/rejection.js';

describe('work for several items at a time', () => {
  it('returns the results in the order of the items, and never works for more items than it may', async () => {
    let working = 0;
    const seen: number[] = [];
    const results = await mapTogether([5, 1, 4, 2, 3], 2, async (item) => {
      seen.push((working += 1));
      await sleep(item);
      working -= 1;
      return item * 10;
    });
    expect(results).to.deep.equal([50, 10, 40, 20, 30]);
    expect(Math.max(...seen)).to.equal(2);
    expect(await mapTogether([], 2, () => Promise.reject(new Error('no item')))).to.deep.equal([]);
  });

  it('begins no item after a failure, waits for the others, and throws the failure of the first item', async () => {
    const ended: number[] = [];
    const error = await rejectionOf(
      mapTogether([0, 1, 2, 3, 4], 3, async (item) => {
        await sleep(item === 0 ? 20 : item);
        ended.push(item);
        if (item < 2) throw new Error(`item ${item}`);
      }),
    );
    expect(error).to.have.property('message', 'item 0');
    expect(ended).to.deep.equal([1, 2, 0]);
  });
});
