import { expect } from 'chai';
import {
  acceptEmail,
  acceptUserName,
  identityKey,
  mayWrite,
  roleOf,
  withoutSecret,
} from '#domain/accounts/user.js';
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

  it('may write the stations of their grant, and all as administrators', () => {
    const rights = [
      { administrator: true, stations: [] },
      { administrator: false, stations: '*' },
      { administrator: false, stations: ['a', 'b'] },
      { administrator: false, stations: [] },
    ] as const;
    const found = rights.map((user) => [mayWrite(user, 'a'), mayWrite(user, 'c'), roleOf(user)]);
    expect(found).to.deep.equal([
      [true, true, 'administrator'],
      [true, true, 'writer'],
      [true, false, 'writer'],
      [false, false, 'reader'],
    ]);
    expect(withoutSecret({ name: 'ada', passwordHash: 'x' } as never)).to.deep.equal({ name: 'ada' });
  });
});
