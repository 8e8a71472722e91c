import { expect } from 'chai';
import fc from 'fast-check';
import { nextOwnTime } from '#domain/hooks/own-second.js';

const INTERVAL = 600_000;
const time = fc.integer({ min: 0, max: 4_102_444_800_000 });

describe('The second of its own of a station', () => {
  it('comes once in each interval, in whole seconds', () => {
    fc.assert(
      fc.property(fc.string(), time, (text, after) => {
        const next = nextOwnTime(text, INTERVAL, after);
        expect(next)
          .to.be.greaterThan(after)
          .and.at.most(after + INTERVAL);
        expect(next % 1000).to.equal(0);
        expect(nextOwnTime(text, INTERVAL, next)).to.equal(next + INTERVAL);
        expect(nextOwnTime(text, INTERVAL, next - 1)).to.equal(next);
      }),
    );
  });

  it('differs between accounts', () => {
    const seconds = Array.from({ length: 600 }, (_, count) =>
      nextOwnTime(`cwop DW${1000 + count}`, INTERVAL, 0),
    );
    // Of 600 random seconds about 379 differ.
    expect(new Set(seconds).size).to.be.greaterThan(300);
  });
});
