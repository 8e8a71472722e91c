import { expect } from 'chai';
import type { AuditStore } from '#application/ports/audit-store.js';
import type { CredentialStore } from '#application/ports/credential-store.js';
import type { SessionStore } from '#application/ports/session-store.js';
import type { SignInStore } from '#application/ports/sign-in-store.js';
import type { Stores } from '#application/ports/stores.js';
import type { AuditEvent } from '#domain/accounts/audit-event.js';
import type { NewSession } from '#domain/accounts/session.js';
import { ADA, BOB } from './credential-store.js';
import { beginSession } from './sign-in-store.js';

const SESSION: NewSession = {
  id: 's1',
  userId: ADA.id,
  createdAt: 1_770_000_000_123,
  validTo: 1_772_592_000,
  address: '192.0.2.1',
};
const EVENT: AuditEvent = {
  time: SESSION.createdAt,
  action: 'elevation',
  outcome: 'done',
  actor: 'Ada',
  subject: 'Ada',
  address: '192.0.2.1',
  requestId: 'request-1',
  detail: null,
};
/** More than any test attempts. */
const LIMIT = 100;

/** The rules for every SessionStore, together with its CredentialStore. */
export function sessionStoreContract(opened: () => Stores): void {
  let users: CredentialStore;
  let sessions: SessionStore;
  let signIns: SignInStore;
  let audit: AuditStore;

  beforeEach(async () => {
    ({ credentials: users, sessions, signIns, audit } = opened());
    await users.add(ADA);
    await users.add(BOB);
  });

  const begin = (id: string, session: Partial<NewSession> = {}, hash = ADA.passwordHash) =>
    beginSession(signIns, { ...SESSION, id, ...session }, hash);
  const attemptsOf = async (id: string, limit = LIMIT) =>
    (await sessions.beginElevation(id, limit))?.attempts;
  const events = async () => (await audit.list(10)).toReversed();
  const idsOf = async (now = 0, userId?: string) => (await sessions.list(now, userId)).map(({ id }) => id);

  it('returns a session with the current fields of its user', async () => {
    expect(await begin('s1')).to.equal(true);
    expect(await sessions.find('s1')).to.deep.equal({
      ...SESSION,
      elevation: null,
      userName: 'Ada',
      administrator: true,
      stations: [],
    });
    await users.change('1', { administrator: false });
    expect(await sessions.find('s1')).to.have.property('administrator', false);
    expect(await sessions.find('s1', 5000)).to.have.property('id', 's1');
    expect(await sessions.find('s2')).to.equal(undefined);
    expect(await sessions.find("' OR 1=1 --", 5000)).to.equal(undefined);
  });

  it('begins no session for a user who is unknown, disabled, or has another password by now', async () => {
    expect(await begin('s1', { userId: 'x' })).to.equal(false);
    expect(await begin('s2', {}, BOB.passwordHash)).to.equal(false);
    await users.change('1', { enabled: false });
    expect(await begin('s3')).to.equal(false);
    expect(await idsOf()).to.deep.equal([]);
  });

  it('ends all sessions of a user who is disabled, given a new password or removed, and no other', async () => {
    await begin('bob', { userId: BOB.id }, BOB.passwordHash);
    for (const end of [
      () => users.change('1', { enabled: false }),
      () => users.change('1', { enabled: true, passwordHash: '$hash$1' }),
      () => users.remove('1'),
    ]) {
      await users.change('1', { enabled: true });
      await begin('s1');
      await begin('s2');
      expect(await idsOf(0, '1')).to.have.length(2);
      await end();
      expect(await idsOf()).to.deep.equal(['bob']);
      expect(await sessions.find('s1')).to.equal(undefined);
    }
  });

  it('keeps the sessions of a user after other changes', async () => {
    await begin('s1');
    await users.change('1', { email: 'new@example.org', administrator: false, enabled: true });
    expect(await idsOf()).to.deep.equal(['s1']);
  });

  it('never keeps a session that began with a password that is being replaced', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [old, next] = [`$hash$${round}`, `$hash$${round + 1}`];
      await users.change('1', { passwordHash: old });
      await Promise.all([
        begin(`a${round}`, {}, old),
        users.change('1', { passwordHash: next }),
        begin(`b${round}`, {}, old),
      ]);
      expect(await idsOf()).to.deep.equal([]);
    }
  });

  it('lists valid sessions, newest first, of one user or of all', async () => {
    await begin('old', { createdAt: 1000, validTo: 50 });
    await begin('b', { createdAt: 2000 });
    await begin('a', { createdAt: 2000 });
    await begin('bob', { userId: '2', createdAt: 3000 }, BOB.passwordHash);
    expect(await idsOf(50)).to.deep.equal(['bob', 'a', 'b']);
    expect(await idsOf(49.5)).to.deep.equal(['bob', 'a', 'b', 'old']);
    expect(await idsOf(0, '1')).to.deep.equal(['a', 'b', 'old']);
    expect(await idsOf(0, 'x')).to.deep.equal([]);
  });

  it('has one elevation at a time, which can be dropped', async () => {
    await begin('s1');
    expect(await sessions.elevate('s1', { tokenId: 't1', validTo: 100 }, EVENT)).to.equal(true);
    expect(await sessions.elevate('s1', { tokenId: 't2', validTo: 200 }, EVENT)).to.equal(true);
    expect(await sessions.find('s1')).to.have.deep.property('elevation', { tokenId: 't2', validTo: 200 });
    await sessions.drop('s1');
    await sessions.drop('s1');
    expect(await sessions.find('s1')).to.have.property('elevation', null);
    expect(await sessions.elevate('x', { tokenId: 't', validTo: 1 }, EVENT)).to.equal(false);
    expect(await events(), 'of two that succeeded').to.have.length(2);
    expect((await events())[0]).to.deep.include(EVENT);
  });

  it('counts attempts to elevate, however many at once, until one succeeds', async () => {
    await begin('s1');
    const counted = await Promise.all(Array.from({ length: 5 }, () => attemptsOf('s1')));
    expect(counted).to.have.members([1, 2, 3, 4, 5]);
    await sessions.uncountElevation('s1');
    expect(await attemptsOf('s1')).to.equal(5);
    await sessions.elevate('s1', { tokenId: 't', validTo: 1 }, EVENT);
    await sessions.uncountElevation('s1');
    expect(await attemptsOf('s1')).to.equal(1);
    expect(await attemptsOf('x')).to.equal(undefined);
    await sessions.uncountElevation('x');
  });

  it('counts no attempt to elevate beyond the limit, however many come at once', async () => {
    await begin('s1');
    const counted = await Promise.all(Array.from({ length: 10 }, () => attemptsOf('s1', 3)));
    expect(counted).to.have.members([1, 2, 3, 4, 4, 4, 4, 4, 4, 4]);
    await sessions.uncountElevation('s1');
    expect(await attemptsOf('s1', 3)).to.equal(3);
  });

  it('gives the hash of the password with which the session began, for an elevation', async () => {
    await begin('s1');
    expect(await sessions.beginElevation('s1', LIMIT)).to.deep.equal({
      attempts: 1,
      passwordHash: ADA.passwordHash,
    });
    await users.change('1', { passwordHash: '$hash$9' });
    expect(await sessions.beginElevation('s1', LIMIT)).to.equal(undefined);
    expect(await sessions.elevate('s1', { tokenId: 't', validTo: 1 }, EVENT)).to.equal(false);
    expect(await events()).to.deep.equal([]);
  });

  it('ends a session and writes down why, also where it has ended already', async () => {
    await begin('s1');
    const refused = { ...EVENT, outcome: 'refused', actor: null } as const;
    const revoked = { ...EVENT, action: 'revocation', subject: 'session s1' } as const;
    expect(await sessions.end('s1', [refused, revoked])).to.equal(true);
    expect(await sessions.find('s1')).to.equal(undefined);
    expect(await sessions.end('s1', [refused])).to.equal(false);
    const found = await events();
    expect(found).to.have.length(3);
    for (const [index, event] of [refused, revoked, refused].entries())
      expect(found[index]).to.deep.include(event);
  });

  it('ends one session, or all of a user, and returns their number', async () => {
    await begin('s1');
    await begin('s2');
    await begin('s3');
    expect(await sessions.end('s1')).to.equal(true);
    expect(await sessions.end('s1')).to.equal(false);
    expect(await sessions.endAll('1')).to.equal(2);
    expect(await sessions.endAll('1')).to.equal(0);
    expect(await idsOf()).to.deep.equal([]);
  });

  it('removes expired sessions and keeps the others', async () => {
    await begin('s1', { validTo: 99 });
    await begin('s2', { validTo: 101 });
    await sessions.purge(100.5);
    expect(await idsOf()).to.deep.equal(['s2']);
  });
}
