import { expect } from 'chai';
import jwt from 'jsonwebtoken';
import { DropElevation } from '#application/accounts/sessions/drop-elevation.js';
import { ElevateToken } from '#application/accounts/sessions/elevate-token.js';
import { EndSessions } from '#application/accounts/sessions/end-sessions.js';
import { IntrospectToken } from '#application/accounts/sessions/introspect-token.js';
import { ListSessions } from '#application/accounts/sessions/list-sessions.js';
import { Revoke } from '#application/accounts/sessions/revoke.js';
import { ChangeUser } from '#application/accounts/users/change-user.js';
import { domainErrorOf, rejectionOf } from '../../../support/rejection.js';
import { CALLER, World } from '../../../support/world.js';

const MINUTE = 60_000;

describe('sessions', () => {
  let world: World;
  let token: string;

  beforeEach(async () => {
    world = await World.make();
    await world.addUser('Ada', true);
    await world.addUser('Bob');
    token = await world.signIn('Ada');
  });

  const revoke = async (scope: 'token' | 'session' | 'all', bearer = token) =>
    world.get(Revoke).execute(scope, await world.principalOf(bearer), CALLER);
  const refused = (bearer: string) => domainErrorOf(world.principalOf(bearer), 'AUTH_TOKEN_INVALID');
  const claimsOf = (bearer: string) => jwt.decode(bearer) as jwt.JwtPayload;

  describe('Authorize', () => {
    it('tells whose token it is', async () => {
      expect(await world.principalOf(token)).to.include({ userName: 'Ada', administrator: true, level: 0 });
    });

    it('requires the needed level and role', async () => {
      await domainErrorOf(world.principalOf(token, 1), 'AUTH_ELEVATION_REQUIRED');
      const bob = await world.elevate(await world.signIn('Bob'));
      expect(await world.principalOf(bob, 1)).to.include({ userName: 'Bob', level: 1 });
      await domainErrorOf(world.principalOf(bob, 1, 'administrator'), 'AUTH_NOT_ALLOWED');
      expect(await world.principalOf(await world.elevate(token), 1, 'administrator')).to.include({
        userName: 'Ada',
      });
    });

    it('refuses an expired token, and a token of an ended session', async () => {
      world.clock.time += 30 * 24 * 60 * MINUTE;
      await refused(token);
    });

    it('checks a basic token against recent data, and an elevated one against current data', async () => {
      const elevated = await world.elevate(token);
      const { sessions } = world.stores;
      const recent = await sessions.find(claimsOf(token)['sid'] as string);
      await sessions.end(recent?.id ?? '');
      sessions.find = async (_id, maxAge = 0) => (maxAge >= 5000 ? recent : undefined);
      expect(await world.principalOf(token)).to.include({ userName: 'Ada' });
      await refused(elevated);
      await domainErrorOf(world.principalOf(token, 0, 'administrator'), 'AUTH_TOKEN_INVALID');
    });

    it('refuses a session of another user than the subject', async () => {
      const { sessions } = world.stores;
      const bobs = await sessions.find(claimsOf(await world.signIn('Bob'))['sid'] as string);
      sessions.find = async () => bobs;
      await refused(token);
    });

    it('is not ready when authentication is switched off', async () => {
      world = await World.make({ WEATHERD_AUTH_ENABLED: 'false' });
      await domainErrorOf(world.principalOf(token), 'AUTH_NOT_READY_YET');
    });
  });

  describe('ElevateToken', () => {
    const elevate = async (input: { password?: string; duration?: number | null }, bearer = token) =>
      world
        .get(ElevateToken)
        .execute(
          { password: 'correct horse', duration: null, ...input },
          await world.principalOf(bearer),
          CALLER,
        );

    it('gives five minutes at level 1, of the same session', async () => {
      const issued = await elevate({});
      expect(issued).to.include({ duration: 300, level: 1, validFrom: Date.UTC(2026, 0, 31, 12) });
      expect(claimsOf(issued.token)['sid']).to.equal(claimsOf(token)['sid']);
      expect(claimsOf(issued.token).jti).not.to.equal(claimsOf(token).jti);
      expect(await world.auditTrail()).to.include('elevation done Ada');
    });

    it('grants the requested duration, up to fifteen minutes', async () => {
      expect(await elevate({ duration: 1 })).to.include({ duration: 1 });
      expect(await elevate({ duration: 900 })).to.include({ duration: 900 });
      for (const duration of [0, -1, 901, 1.5, NaN, Infinity]) {
        await domainErrorOf(elevate({ duration }), 'REQUEST_INVALID');
      }
    });

    it('uses the configured duration if none is requested', async () => {
      world = await World.make({ WEATHERD_ELEVATION_DURATION: '2m' });
      await world.addUser('Ada');
      token = await world.signIn('Ada');
      expect(await elevate({})).to.include({ duration: 120 });
    });

    it('never outlives the basic token', async () => {
      world.clock.time += (30 * 24 * 60 - 1) * MINUTE;
      const issued = await elevate({});
      expect(claimsOf(issued.token).exp).to.equal(claimsOf(token).exp);
      expect(issued.duration).to.be.below(61);
    });

    it('expires without being extended by use', async () => {
      const { token: elevated } = await elevate({});
      world.clock.time += 4 * MINUTE;
      await world.principalOf(elevated, 1);
      world.clock.time += MINUTE;
      await refused(elevated);
      await world.principalOf(token);
    });

    it('leaves one elevated token for each session: the last', async () => {
      const { token: first } = await elevate({});
      const { token: second } = await elevate({});
      await refused(first);
      await world.principalOf(second, 1);
      const other = await world.elevate(await world.signIn('Ada'));
      await world.principalOf(second, 1);
      await world.principalOf(other, 1);
    });

    it('cannot elevate an elevated token', async () => {
      const { token: elevated } = await elevate({});
      await domainErrorOf(elevate({}, elevated), 'AUTH_NOT_ALLOWED');
    });

    it('refuses a wrong password, five in a row end the session and not the account', async () => {
      for (let time = 0; time < 4; time += 1) {
        await domainErrorOf(elevate({ password: 'wrong' }), 'AUTH_INVALID_CREDENTIALS');
      }
      await elevate({});
      const other = await world.signIn('Ada');
      const principal = await world.principalOf(token);
      for (let time = 0; time < 5; time += 1) {
        await domainErrorOf(elevate({ password: 'wrong' }), 'AUTH_INVALID_CREDENTIALS');
      }
      await refused(token);
      await world.principalOf(other);
      expect(await world.signIn('Ada')).to.be.a('string');
      expect(await world.auditTrail()).to.include(`revocation done session ${principal.sessionId}`);
    });

    it('checks no sixth password, however many arrive at once', async () => {
      const before = world.passwords.verified.length;
      const principal = await world.principalOf(token);
      const guess = () =>
        rejectionOf(
          world.get(ElevateToken).execute({ password: 'wrong', duration: null }, principal, CALLER),
        );
      const outcomes = await Promise.all(Array.from({ length: 12 }, guess));
      expect(world.passwords.verified.length - before).to.equal(5);
      for (const outcome of outcomes) {
        expect((outcome as { code: string }).code).to.be.oneOf([
          'AUTH_INVALID_CREDENTIALS',
          'AUTH_TOKEN_INVALID',
        ]);
      }
    });

    it('does not count concurrent right passwords as failures, also with a few wrong ones', async () => {
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_value, index) =>
          elevate({ password: index % 5 === 4 ? 'wrong' : 'correct horse' }).then(
            ({ token: made }) => made,
            (error: { code: string }) => error.code,
          ),
        ),
      );
      expect(outcomes.filter((outcome) => outcome === 'AUTH_INVALID_CREDENTIALS')).to.have.length(4);
      const made = outcomes.filter((outcome) => outcome !== 'AUTH_INVALID_CREDENTIALS');
      expect(new Set(made)).to.have.property('size', 16);
      await world.principalOf(token);
      await world.principalOf(made.at(-1) ?? '', 1);
    });

    it('does not end the session because of attempts that other instances are handling', async () => {
      const { sessionId } = await world.principalOf(token);
      for (let time = 0; time < 5; time += 1) await world.stores.sessions.beginElevation(sessionId, 5);
      await domainErrorOf(elevate({}), 'SERVICE_UNAVAILABLE');
      await world.principalOf(token);
      await world.stores.sessions.uncountElevation(sessionId);
      expect(await elevate({})).to.include({ level: 1 });
    });

    it('does not count attempts that did not check a password', async () => {
      world.passwords.busy = true;
      for (let time = 0; time < 6; time += 1) await domainErrorOf(elevate({}), 'SERVICE_UNAVAILABLE');
      world.passwords.busy = false;
      const principal = await world.principalOf(token);
      const input = { password: 'correct horse', duration: null };
      world.keyStore.down = true;
      world.clock.up += 1000;
      for (let time = 0; time < 6; time += 1) {
        const elevated = world.get(ElevateToken).execute(input, principal, CALLER);
        await domainErrorOf(elevated, 'SIGNING_KEY_UNAVAILABLE');
      }
      world.keyStore.down = false;
      world.clock.up += 1000;
      expect(await elevate({})).to.include({ level: 1 });
    });
  });

  it('DropElevation › ends the elevated token and not the basic one', async () => {
    const elevated = await world.elevate(token);
    await world.get(DropElevation).execute(await world.principalOf(elevated), CALLER);
    await refused(elevated);
    await world.get(DropElevation).execute(await world.principalOf(token), CALLER);
    expect((await world.auditTrail()).slice(-2)).to.deep.equal(['drop done Ada', 'drop done Ada']);
  });

  describe('Revoke', () => {
    it('token › ends an elevated token alone, and a basic one with its session', async () => {
      const elevated = await world.elevate(token);
      expect(await revoke('token', elevated)).to.equal(0);
      await refused(elevated);
      expect(await revoke('token')).to.equal(1);
      await refused(token);
    });

    it('session › ends all tokens of the session and no other', async () => {
      const other = await world.signIn('Ada');
      const elevated = await world.elevate(token);
      expect(await revoke('session', elevated)).to.equal(1);
      await refused(token);
      await refused(elevated);
      await world.principalOf(other);
    });

    it('all › ends every session of the user and of nobody else', async () => {
      const [other, bob] = [await world.signIn('Ada'), await world.signIn('Bob')];
      expect(await revoke('all')).to.equal(2);
      await refused(token);
      await refused(other);
      await world.principalOf(bob);
      expect(await world.auditTrail()).to.include('revocation done Ada');
    });
  });

  it('a new password and switching off end every session of the user', async () => {
    for (const changes of [{ password: 'correct horse' }, { enabled: false }]) {
      const bearer = await world.signIn('Bob');
      await world.get(ChangeUser).execute({ name: 'Bob', ...changes }, CALLER);
      await refused(bearer);
    }
    await world.principalOf(token);
  });

  it('ListSessions and EndSessions › show who is signed in, and sign them out', async () => {
    await world.signIn('Bob');
    const list = (user: string | null) => world.get(ListSessions).execute({ user });
    const end = world.get(EndSessions);
    expect((await list(null)).map(({ userName }) => userName)).to.have.members(['Ada', 'Bob']);
    const [bobs] = await list('bob');
    expect(await end.execute({ session: bobs?.id ?? '' }, CALLER)).to.equal(1);
    await domainErrorOf(end.execute({ session: bobs?.id ?? '' }, CALLER), 'SESSION_UNKNOWN');
    expect(await end.execute({ user: 'ada' }, CALLER)).to.equal(1);
    expect(await list(null)).to.deep.equal([]);
  });

  it('IntrospectToken › reports whether a token is valid, and nothing else', async () => {
    const introspect = world.get(IntrospectToken);
    expect(await introspect.execute({ token })).to.include({ userName: 'Ada', level: 0 });
    await revoke('all');
    expect(await introspect.execute({ token })).to.equal(undefined);
    expect(await introspect.execute({ token: 'nonsense' })).to.equal(undefined);
    world.keyStore.down = true;
    world.clock.up += 1000;
    await domainErrorOf(introspect.execute({ token }), 'SIGNING_KEY_UNAVAILABLE');
  });
});
