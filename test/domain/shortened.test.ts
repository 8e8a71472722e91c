import { expect } from 'chai';
import fc from 'fast-check';
import { shortened } from '#domain/shortened.js';
import { CODE_POINT } from '../support/code-point.js';

describe('Shortened texts', () => {
  it('are within the limit, begin like the text, and have no half of a character', () => {
    const text = fc.string({ unit: CODE_POINT, maxLength: 30 });
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 30 }), (whole, length) => {
        const cut = shortened(whole, length);
        expect(cut.length).to.be.at.most(length);
        expect(cut).to.not.match(/\p{Surrogate}/u);
        if (whole.length <= length) expect(cut).to.equal(whole);
        else expect(cut.endsWith('…') && whole.startsWith(cut.slice(0, -1))).to.equal(true);
        // At most one character is left out to keep another one whole.
        if (whole.length > length) expect(cut.length).to.be.at.least(length - 1);
      }),
    );
  });

  it('are cut between characters', () => {
    expect(shortened('a😀b', 4)).to.equal('a😀b');
    expect(shortened('a😀bc', 4)).to.equal('a😀…');
    expect(shortened('aa😀bc', 4)).to.equal('aa…');
  });
});
