import { expect } from 'chai';
import { acceptEmail, acceptUserName, identityKey } from '#domain/accounts/user.js';
import { DomainError } from '#domain/domain-error.js';

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
