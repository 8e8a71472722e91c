import { expect } from 'chai';
import { ImportFailure } from '#adapters/formats/files/import-failure.js';
import { SourceFailure } from '#domain/sources/source-failure.js';
import { TargetFailure } from '#domain/hooks/target-failure.js';

describe('failures of packages', () => {
  for (const known of [SourceFailure, TargetFailure, ImportFailure]) {
    it(`${known.name} of a copy of this class are recognized`, () => {
      const Copy = class extends Error {
        override readonly name = known.name;
        readonly retryAfter = 7;
      };
      expect(new Copy('The service is closed.')).to.be.instanceOf(known);
      expect(new known('The service is closed.')).to.be.instanceOf(known);
    });

    it(`${known.name} are not what only has the name, and no other errors`, () => {
      for (const other of [
        new Error(known.name),
        { name: known.name },
        known.name,
        undefined,
        null,
        new TypeError('x'),
      ])
        expect(other instanceof known).to.equal(false);
    });
  }
});
