import { expect } from 'chai';
import { flatFields } from '../../../../src/adapters/uploads/reading/json-fields.js';

describe('flatFields', () => {
  it('has the numbers, texts and truth values of an object by their path, and no secret at any depth', () => {
    const object = {
      soil: { moisture: 3, PASSKEY: 'ABAB-15', deeper: [{ password: 'hunter22', on: true }] },
      token: 'x',
      name: 'roof',
    };
    expect(flatFields(object)).to.deep.equal([
      ['soil.moisture', '3'],
      ['soil.deeper.0.on', '1'],
      ['name', 'roof'],
    ]);
  });
});
