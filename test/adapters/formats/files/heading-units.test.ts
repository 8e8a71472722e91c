import { expect } from 'chai';
import fc from 'fast-check';
import { splitHeading, unitNamed } from '#adapters/formats/files/unit-names.js';

/** The rule as one expression. Its time grows with the square of the heading. */
const ENDING = /^(.*?)\s*(?:[([]([^()[\]]*)[)\]]|\s[-–]\s+(\S+(?: \S+)?)|,\s+(\S+(?: \S+)?))$/s;

function expected(heading: string) {
  const trimmed = heading.trim();
  const [, name = '', ...texts] = ENDING.exec(trimmed) ?? [];
  const unit = unitNamed(texts.find((text) => text !== undefined) ?? '');
  return unit === undefined ? { name: trimmed, unit } : { name, unit };
}

describe('splitHeading', () => {
  const pieces = ['Temp', 'Wind', ' ', '  ', '\t', '(', ')', '[', ']', '-', '–', ',', ' - ', ', '];
  const units = ['°C', 'in', 'Hg', 'm/s', 'hPa', ' – °F', ', in Hg', '(mm)'];
  const piece = fc.constantFrom(...pieces, ...units);

  it('finds the unit of every heading as the rule says', () => {
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 9 }), (parts) => {
        const heading = parts.join('');
        expect(splitHeading(heading), heading).to.deep.equal(expected(heading));
      }),
      { numRuns: 5000 },
    );
  });
});
