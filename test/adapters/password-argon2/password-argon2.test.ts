import { expect } from 'chai';
import { Argon2PasswordHasher } from '#adapters/password-argon2/argon2-password-hasher.js';
import { domainErrorOf, rejectionOf } from '../../support/rejection.js';

describe('Argon2PasswordHasher', () => {
  let hasher: Argon2PasswordHasher;

  before(() => (hasher = new Argon2PasswordHasher()));
  after(() => hasher.close());

  it('hashes with argon2id, 19 MiB, two passes, one lane, and a new salt each time', async () => {
    const [first, second] = [await hasher.hash('password'), await hasher.hash('password')];
    expect(first).to.match(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(first).not.to.equal(second);
  });

  it('verifies the password and no other', async () => {
    const hash = await hasher.hash('pässword ');
    expect(await hasher.verify(hash, 'pässword ')).to.equal(true);
    expect(await hasher.verify(hash, 'pässword')).to.equal(false);
    expect(await hasher.verify(hash, '')).to.equal(false);
  });

  it('has a decoy that costs the same and that no password matches', async () => {
    expect(hasher.decoy).to.match(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await hasher.verify(hasher.decoy, '')).to.equal(false);
  });

  it('fails for a text that is not a hash', async () => {
    expect(await rejectionOf(hasher.verify('plain', 'plain'))).to.be.instanceOf(Error);
  });

  it('refuses work at once if its queue is full, and finishes the rest', async () => {
    const small = new Argon2PasswordHasher(2);
    const results = await Promise.allSettled(Array.from({ length: 12 }, () => small.hash('password')));
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused.length).to.be.within(8, 10);
    for (const { reason } of refused)
      expect(reason).to.include({ code: 'SERVICE_UNAVAILABLE', retryAfter: 2 });
    expect(results.length - refused.length).to.be.within(2, 4);
    expect(await small.hash('password')).to.be.a('string');
    await small.close();
    await domainErrorOf(Promise.reject(refused[0]?.reason), 'SERVICE_UNAVAILABLE');
  });
});
