import { expect } from 'chai';
import { DomainError, isDomainError } from '#domain/domain-error.js';
import { humanDuration } from '#domain/duration.js';

describe('DomainError', () => {
  it('keeps its cause and the time of the next attempt', () => {
    const cause = new Error('underneath');
    const error = new DomainError('STORE_UNAVAILABLE', 'text', { cause, retryAfter: 3 });
    expect(error).to.include({ code: 'STORE_UNAVAILABLE', message: 'text', cause, retryAfter: 3 });
    expect(new DomainError('USER_EXISTS', 'text')).not.to.have.property('cause');
  });

  it('is distinguished from other errors and by its code', () => {
    const error = new DomainError('USER_EXISTS', 'text');
    expect(isDomainError(error)).to.equal(true);
    expect(isDomainError(error, 'USER_UNKNOWN', 'USER_EXISTS')).to.equal(true);
    expect(isDomainError(error, 'USER_UNKNOWN')).to.equal(false);
    expect(isDomainError(new Error('text'))).to.equal(false);
  });
});

describe('humanDuration', () => {
  for (const [milliseconds, text] of [
    [0, '0 months 0 days 0 hours 0 minutes 0 seconds 0 milliseconds'],
    [2_592_000_000, '1 months 0 days 0 hours 0 minutes 0 seconds 0 milliseconds'],
    [2_591_999_999, '0 months 29 days 23 hours 59 minutes 59 seconds 999 milliseconds'],
    [1234.9, '0 months 0 days 0 hours 0 minutes 1 seconds 234 milliseconds'],
    [400 * 86_400_000, '13 months 10 days 0 hours 0 minutes 0 seconds 0 milliseconds'],
  ] as const) {
    it(`writes ${milliseconds} ms as ${text}`, () => expect(humanDuration(milliseconds)).to.equal(text));
  }
});
