import { expect } from 'chai';
import { acceptNewPassword, preparePassword, utf8Length } from '#domain/accounts/password.js';
import { DomainError } from '#domain/domain-error.js';

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
