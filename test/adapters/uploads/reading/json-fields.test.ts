import { expect } from 'chai';
import { flatFields } from '#adapters/uploads/reading/json-fields.js';

describe('flatFields', () => {
  it('has the numbers, texts and truth values of an object by their path', () => {
    const object = { soil: { moisture: 3, deeper: [{ on: true }, null] }, name: 'roof\u0007' };
    expect(flatFields(object)).to.deep.equal([
      ['soil.moisture', '3'],
      ['soil.deeper.0.on', '1'],
      ['name', 'roof'],
    ]);
  });
});
