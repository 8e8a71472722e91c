import { expect } from 'chai';
import jwt from 'jsonwebtoken';
import sinon from 'sinon';
import { type Credentials, Authenticate } from '#application/accounts/sessions/authenticate.js';
import { AddUser } from '#application/accounts/users/add-user.js';
import { ChangeUser } from '#application/accounts/users/change-user.js';
import { DomainError } from '#domain/domain-error.js';
import { domainErrorOf, rejectionOf } from '../../../support/rejection.js';
import { CALLER, World } from '../../../support/world.js';

describe('Authenticate', () => {
  const password = 'correct horse';
  let world: World;

  beforeEach(async () => {
    world = await World.make();
    await world.addUser('Ada');
    await world.addUser('Bob');
  });

  const authenticate = (credentials: Partial<Credentials>, caller = CALLER) =>
    world.get(Authenticate).execute({ username: null, email: null, password, ...credentials }, caller);

  it('issues a basic token for 30 days with the id of the user', async () => {
    const issued = await authenticate({ username: 'Ada' });
    expect(issued).to.deep.include({
      duration: 2_592_000,
      durationHuman: '1 months 0 days 0 hours 0 minutes 0 seconds 0 milliseconds',
      validFrom: Date.UTC(2026, 0, 31, 12),
      validTo: Date.UTC(2026, 2, 2, 12),
      level: 0,
    });
    const claims = jwt.decode(issued.token) as jwt.JwtPayload;
    expect(claims).to.include({
      sub: 'id-000001',
      token_level: 0,
      nbf: Date.UTC(2026, 0, 31, 12) / 1000,
      exp: Date.UTC(2026, 2, 2, 12) / 1000,
    });
    const session = await world.stores.sessions.find(claims['sid'] as string);
    expect(session).to.include({ userName: 'Ada', address: CALLER.address, validTo: claims.exp });
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
    await world.get(ChangeUser).execute({ name: 'Bob', enabled: false }, CALLER);
    const refusals = await Promise.all(
      [
        { username: 'nobody' },
        { username: 'Ada', password: 'wrong horse' },
        { username: 'Bob' },
        { username: 'Bob', email: 'ada@example.org' },
        { username: 'nobody', email: 'ada@example.org' },
      ].map((credentials) => domainErrorOf(authenticate(credentials), 'AUTH_INVALID_CREDENTIALS')),
    );
    expect(new Set(refusals.map(({ message }) => message))).to.have.property('size', 1);
  });

  it('computes exactly one hash whether or not the user exists', async () => {
    await rejectionOf(authenticate({ username: 'nobody' }));
    expect(world.passwords.verified).to.deep.equal(['decoy']);
    await rejectionOf(authenticate({ username: 'Ada', password: 'wrong horse' }));
    expect(world.passwords.verified).to.have.length(2);
    expect(world.passwords.verified[1]).not.to.equal('decoy');
  });

  it('accepts a password with decomposed accents as the same', async () => {
    const zoe = { name: 'zoe', email: null, password: 'cafe\u0301 noir' };
    await world.get(AddUser).execute(zoe, CALLER);
    expect(await authenticate({ username: 'zoe', password: 'caf\u00e9 noir' })).to.have.property('level', 0);
  });

  it('needs a user name or an email', async () => {
    await domainErrorOf(authenticate({}), 'REQUEST_INVALID');
  });

  it('is not ready when authentication is switched off', async () => {
    world = await World.make({ WEATHERD_AUTH_ENABLED: 'false' });
    await world.addUser('Ada');
    await domainErrorOf(authenticate({ username: 'Ada' }), 'AUTH_NOT_READY_YET');
    expect(world.passwords.verified).to.deep.equal([]);
  });

  it('is not ready without a key, also for a wrong password, and ready again when it is back', async () => {
    world.keyStore.down = true;
    world.clock.up += 1000;
    const error = await domainErrorOf(
      authenticate({ username: 'Ada', password: 'wrong' }),
      'AUTH_NOT_READY_YET',
    );
    expect(error.cause).to.have.property('code', 'SIGNING_KEY_UNAVAILABLE');
    world.keyStore.down = false;
    world.clock.up += 1000;
    expect(await authenticate({ username: 'Ada' })).to.have.property('level', 0);
  });

  it('is not ready, instead of reporting a wrong password, when its store is down', async () => {
    const down = new DomainError('STORE_UNAVAILABLE', 'down');
    sinon.stub(world.stores.signIns, 'begin').rejects(down);
    const error = await domainErrorOf(authenticate({ username: 'Ada' }), 'AUTH_NOT_READY_YET');
    expect(error.cause).to.equal(down);
  });

  it('passes on the refusal of too many sign-ins, and unexpected errors', async () => {
    world.passwords.busy = true;
    const busy = await domainErrorOf(authenticate({ username: 'Ada' }), 'SERVICE_UNAVAILABLE');
    expect(busy.retryAfter).to.equal(7);
    const bug = new TypeError('a bug');
    sinon.stub(world.stores.signIns, 'begin').rejects(bug);
    expect(await rejectionOf(authenticate({ username: 'Ada' }))).to.equal(bug);
  });

  it('begins no session for who is disabled or given another password meanwhile', async () => {
    for (const changes of [{ password: 'another horse' }, { enabled: false }]) {
      const verify = sinon.stub(world.passwords, 'verify').callsFake(async () => {
        await world.get(ChangeUser).execute({ name: 'Ada', ...changes }, CALLER);
        return true;
      });
      await domainErrorOf(authenticate({ username: 'Ada' }), 'AUTH_INVALID_CREDENTIALS');
      verify.restore();
      expect(await world.stores.sessions.list(0)).to.deep.equal([]);
      expect((await world.auditTrail()).at(-1)).to.equal('sign-in refused Ada');
    }
  });

  it('counts an attempt before its password is verified', async () => {
    let counted: number | undefined;
    sinon.stub(world.passwords, 'verify').callsFake(async () => {
      counted = begin.callCount;
      expect((await begin.firstCall.returnValue).wait).to.equal(0);
      return false;
    });
    const begin = sinon.spy(world.stores.signIns, 'begin');
    await domainErrorOf(authenticate({ username: 'Ada' }), 'AUTH_INVALID_CREDENTIALS');
    expect(counted).to.equal(1);
  });

  it('records successful and refused sign-ins, but no unknown names', async () => {
    await authenticate({ email: 'ada@example.org' });
    await rejectionOf(authenticate({ username: 'ada', password: 'wrong horse' }));
    await rejectionOf(authenticate({ username: 'perhaps a password' }));
    const [unknown, refused, done] = await world.stores.audit.list(3);
    expect(done).to.include({ action: 'sign-in', outcome: 'done', actor: 'Ada', subject: 'Ada' });
    expect(done).to.include({ address: '192.0.2.1', requestId: 'request-1', time: world.clock.time });
    expect(refused).to.include({ outcome: 'refused', actor: null, subject: 'Ada' });
    expect(unknown).to.include({ outcome: 'refused', actor: null, subject: null });
  });
});
