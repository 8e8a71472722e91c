import { expect } from 'chai';
import { acceptNewPassword, preparePassword, utf8Length } from '../../src/domain/accounts/password.js';
import { acceptEmail, acceptUserName, identityKey } from '../../src/domain/accounts/user.js';
import { DomainError, isDomainError } from '../../src/domain/domain-error.js';
import { humanDuration } from '../../src/domain/duration.js';

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

describe('passwords', () => {
  it('count bytes of UTF-8, not characters', () => {
    expect(utf8Length('aé€😀')).to.equal(1 + 2 + 3 + 4);
    expect(acceptNewPassword('€€€')).to.equal('€€€');
  });

  it('are the same with composed and decomposed accents', () => {
    expect(preparePassword('pa\u0301ssword')).to.equal(preparePassword('p\u00e1ssword'));
  });

  it('keep the space around them', () => {
    expect(acceptNewPassword('  secret  ')).to.equal('  secret  ');
  });

  for (const [what, password] of [
    ['7 bytes', 'a'.repeat(7)],
    ['1025 bytes', 'a'.repeat(1025)],
    ['a lone surrogate', 'password\ud800'],
  ] as const) {
    it(`are refused with ${what}`, () => {
      expect(() => acceptNewPassword(password))
        .to.throw(DomainError)
        .with.property('code', 'REQUEST_INVALID');
    });
  }
});

describe('users', () => {
  it('are the same in any case and width, and with space around', () => {
    expect(new Set(['Ada', ' ada ', 'ＡＤＡ', 'ADA'].map(identityKey))).to.have.property('size', 1);
    expect(identityKey('ada')).not.to.equal(identityKey('adá'));
  });

  it('have names of letters, digits, dot, underscore and hyphen', () => {
    for (const name of ['a', 'Ada.Lovelace', 'user_1', '秋子', '0-0'])
      expect(acceptUserName(name)).to.equal(name);
    for (const name of ['', ' ', '.a', 'a b', 'a@b', 'a'.repeat(65), 'a\u0000', 'a\ud800', 'a/b']) {
      expect(() => acceptUserName(name), JSON.stringify(name)).to.throw(DomainError);
    }
  });

  it('have emails of the form name@host', () => {
    expect(acceptEmail(' ada@example.org ')).to.equal('ada@example.org');
    for (const email of ['', 'ada', '@b', 'a@', 'a b@c', 'a@b@c', 'a@b\ud800']) {
      expect(() => acceptEmail(email), JSON.stringify(email)).to.throw(DomainError);
    }
  });
});
