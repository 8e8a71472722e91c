import { expect } from 'chai';
import { ProtocolError } from '#adapters/http/core/errors.js';

describe('ProtocolError', () => {
  it('is an error with a name and a message, and has no stack', () => {
    const error: Error = new ProtocolError('ROUTE_NOT_FOUND', 'There is none.');
    expect(error).to.be.instanceOf(Error);
    expect(String(error)).to.equal('ProtocolError: There is none.');
    expect(error.stack).to.equal(undefined);
  });
});
