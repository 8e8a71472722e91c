import { expect } from 'chai';
import fc from 'fast-check';
import { ChunkList } from '#adapters/formats/packed/chunk-list.js';

describe('ChunkList', () => {
  it('counts the chunks that it lists between two days', () => {
    const places = fc.array(fc.tuple(fc.integer({ min: -20, max: 20 }), fc.constantFrom(1, 8)));
    const day = fc.integer({ min: -200, max: 200 });
    fc.assert(
      fc.property(places, day, day, (given, from, to) => {
        const list = new ChunkList();
        for (const [window, days] of given) {
          const place = { day: window * 8, days };
          if (list.isFree(place)) list.set(place);
        }
        expect(list.count(from, to)).to.equal([...list.between(from, to)].length);
        expect(list.count()).to.equal([...list.between(-1000, 1000)].length);
      }),
    );
  });
});
