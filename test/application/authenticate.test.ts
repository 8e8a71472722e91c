import { expect } from 'chai';
import sinon from 'sinon';
import { MemoryCredentialStore } from '../../src/adapters/store-memory/memory-credential-store.js';
import { AddUser } from '../../src/application/add-user.js';
import { Authenticate, type Credentials } from '../../src/application/authenticate.js';
import { SetUserEnabled } from '../../src/application/set-user-enabled.js';
import { DomainError } from '../../src/domain/domain-error.js';
import { domainErrorOf, rejectionOf } from '../support/rejection.js';
import { CountingIds, FakeClock, PlainTokenIssuer, ReversingHasher } from './fakes/fakes.js';

describe('Authenticate', () => {
  const password = 'correct horse';
  let clock: FakeClock;
  let users: MemoryCredentialStore;
  let passwords: ReversingHasher;
  let tokens: PlainTokenIssuer;

  beforeEach(async () => {
    clock = new FakeClock();
    users = new MemoryCredentialStore();
    passwords = new ReversingHasher();
    tokens = new PlainTokenIssuer();
    const add = new AddUser(clock, new CountingIds(), users, passwords);
    await add.execute({ name: 'Ada', email: 'Ada@Example.org', password });
    await add.execute({ name: 'Bob', email: null, password: 'another horse' });
  });

  const authenticate = (credentials: Partial<Credentials>, enabled = true) => {
    const dependencies = { clock, ids: { next: () => 'session' }, users, passwords, tokens };
    return new Authenticate({ enabled, tokenDuration: 2_592_000 }, dependencies).execute({
      username: null,
      email: null,
      password,
      ...credentials,
    });
  };

  it('gives a basic token for 30 days that says whose it is', async () => {
    const issued = await authenticate({ username: 'Ada' });
    expect(issued).to.deep.include({
      duration: 2_592_000,
      durationHuman: '1 months 0 days 0 hours 0 minutes 0 seconds 0 milliseconds',
      validFrom: Date.UTC(2026, 0, 31, 12),
      validTo: Date.UTC(2026, 2, 2, 12),
      level: 0,
    });
    expect(JSON.parse(issued.token.slice('token:'.length))).to.deep.equal({
      subject: 'id-1',
      sessionId: 'session',
      level: 0,
      validFrom: Date.UTC(2026, 0, 31, 12) / 1000,
      validTo: Date.UTC(2026, 2, 2, 12) / 1000,
    });
  });

  it('finds a user by name or by email, in any case', async () => {
    for (const credentials of [
      { username: 'ada' },
      { email: 'ADA@example.ORG' },
      { username: ' ADA', email: 'ada@example.org ' },
    ]) {
      expect(await authenticate(credentials)).to.have.property('level', 0);
    }
  });

  it('refuses an unknown user, a disabled one, a wrong password and a mismatch all alike', async () => {
    await new SetUserEnabled(users).execute({ name: 'Bob', enabled: false });
    const refusals = await Promise.all(
      [
        { username: 'nobody' },
        { username: 'Ada', password: 'wrong horse' },
        { username: 'Bob', password: 'another horse' },
        { username: 'Bob', email: 'ada@example.org' },
        { username: 'nobody', email: 'ada@example.org' },
      ].map((credentials) => domainErrorOf(authenticate(credentials), 'AUTH_INVALID_CREDENTIALS')),
    );
    expect(new Set(refusals.map(({ message }) => message))).to.have.property('size', 1);
  });

  it('computes exactly one hash whether or not the user exists', async () => {
    await rejectionOf(authenticate({ username: 'nobody' }));
    expect(passwords.verified).to.deep.equal(['decoy']);
    await rejectionOf(authenticate({ username: 'Ada', password: 'wrong horse' }));
    expect(passwords.verified).to.have.length(2);
    expect(passwords.verified[1]).not.to.equal('decoy');
  });

  it('takes a password typed with decomposed accents for the same', async () => {
    const add = new AddUser(clock, { next: () => 'id-9' }, users, passwords);
    await add.execute({ name: 'zoe', email: null, password: 'cafe\u0301 noir' });
    expect(await authenticate({ username: 'zoe', password: 'caf\u00e9 noir' })).to.have.property('level', 0);
  });

  it('needs a user name or an email', async () => {
    await domainErrorOf(authenticate({}), 'REQUEST_INVALID');
  });

  it('is not ready when switched off, whoever asks', async () => {
    await domainErrorOf(authenticate({ username: 'Ada' }, false), 'AUTH_NOT_READY_YET');
    expect(passwords.verified).to.deep.equal([]);
  });

  it('is not ready without a key, also for a wrong password, and ready again when it is back', async () => {
    tokens.key = false;
    const error = await domainErrorOf(
      authenticate({ username: 'Ada', password: 'wrong' }),
      'AUTH_NOT_READY_YET',
    );
    expect(error.cause).to.have.property('code', 'SIGNING_KEY_UNAVAILABLE');
    tokens.key = true;
    expect(await authenticate({ username: 'Ada' })).to.have.property('level', 0);
  });

  it('is not ready when its store is down: that is no wrong password', async () => {
    const down = new DomainError('STORE_UNAVAILABLE', 'down');
    sinon.stub(users, 'findByName').rejects(down);
    const error = await domainErrorOf(authenticate({ username: 'Ada' }), 'AUTH_NOT_READY_YET');
    expect(error.cause).to.equal(down);
  });

  it('passes on that too many sign in, and what nobody expected', async () => {
    passwords.busy = true;
    const busy = await domainErrorOf(authenticate({ username: 'Ada' }), 'SERVICE_UNAVAILABLE');
    expect(busy.retryAfter).to.equal(7);
    const bug = new TypeError('a bug');
    sinon.stub(users, 'findByName').rejects(bug);
    expect(await rejectionOf(authenticate({ username: 'Ada' }))).to.equal(bug);
  });
});
