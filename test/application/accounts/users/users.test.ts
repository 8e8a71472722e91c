import { expect } from 'chai';
import { EndSessions } from '#application/accounts/sessions/end-sessions.js';
import { ListSessions } from '#application/accounts/sessions/list-sessions.js';
import { AddUser } from '#application/accounts/users/add-user.js';
import { ChangeUser } from '#application/accounts/users/change-user.js';
import { DeleteUser } from '#application/accounts/users/delete-user.js';
import { GetUser } from '#application/accounts/users/get-user.js';
import { ListUsers } from '#application/accounts/users/list-users.js';
import { PutUser } from '#application/accounts/users/put-user.js';
import { RemoveUser } from '#application/accounts/users/remove-user.js';
import type { Principal } from '#domain/accounts/session.js';
import { domainErrorOf } from '../../../support/rejection.js';
import { addStation } from '../../../support/weather-world.js';
import { CALLER, World } from '../../../support/world.js';

describe('user management', () => {
  let world: World;
  beforeEach(async () => (world = await World.make()));

  const stored = (key: string) => world.stores.credentials.findByName(key);
  const add = (name: string, email: string | null = null, password = 'password') =>
    world.get(AddUser).execute({ name, email, password }, CALLER);
  const change = (name: string, changes: object) =>
    world.get(ChangeUser).execute({ name, ...changes }, CALLER);

  it('AddUser › stores a user who may sign in, with a hash for a password', async () => {
    await add(' Ada ', 'ada@example.org');
    expect(await stored('ada')).to.deep.equal({
      id: 'id-000001',
      name: 'Ada',
      email: 'ada@example.org',
      passwordHash: 'hash:drowssap',
      enabled: true,
      administrator: false,
      stations: [],
      createdAt: world.clock.time,
    });
  });

  it('AddUser › refuses a name or an email that is taken, and rules that are broken', async () => {
    await add('Ada', 'ada@example.org');
    await domainErrorOf(add('ADA'), 'USER_EXISTS');
    await domainErrorOf(add('eve', 'ADA@example.org'), 'USER_EXISTS');
    await domainErrorOf(add('a b'), 'REQUEST_INVALID');
    await domainErrorOf(add('eve', 'no address'), 'REQUEST_INVALID');
    await domainErrorOf(add('eve', null, 'short'), 'REQUEST_INVALID');
    expect(await world.auditTrail()).to.deep.equal(['user-add done Ada']);
  });

  it('AddUser › stores the rights of a user, and writes the granted stations', async () => {
    await addStation(world);
    const user = { name: 'ada', email: null, password: 'password' };
    const rights = { enabled: false, administrator: true, stations: ['JFK'] };
    await world.get(AddUser).execute({ ...user, ...rights }, CALLER);
    await world.get(AddUser).execute({ ...user, name: 'bob', stations: '*' }, CALLER);
    await add('eve');
    expect(await stored('ada')).to.deep.include(rights);
    expect(await stored('bob')).to.deep.include({ enabled: true, administrator: false, stations: '*' });
    const events = (await world.stores.audit.list(10)).filter(({ action }) => action === 'user-add');
    expect(
      events.toReversed().map(({ subject, outcome, detail }) => [subject, outcome, detail]),
    ).to.deep.equal([
      ['ada', 'done', { grant: 'replace', stations: ['JFK'] }],
      ['bob', 'done', { grant: 'replace', stations: '*' }],
      ['eve', 'done', null],
    ]);
  });

  it('ChangeUser › changes the stations that a user may write', async () => {
    await addStation(world);
    await add('ada');
    const grant = async (how: 'replace' | 'grant' | 'withdraw', stations: string[] | '*') => {
      await change('ada', { stations: { how, stations } });
      return (await stored('ada'))?.stations;
    };
    expect(await grant('grant', ['JFK'])).to.deep.equal(['JFK']);
    expect(await grant('withdraw', ['JFK'])).to.deep.equal([]);
    expect(await grant('replace', '*')).to.equal('*');
    await domainErrorOf(grant('withdraw', ['JFK']), 'REQUEST_INVALID');
    expect((await stored('ada'))?.stations).to.equal('*');
    expect(await grant('withdraw', '*')).to.deep.equal([]);
    const events = (await world.stores.audit.list(10)).filter(({ action }) => action === 'user-change');
    expect(events.toReversed().map(({ detail }) => detail)).to.deep.equal([
      { grant: 'grant', stations: ['JFK'] },
      { grant: 'withdraw', stations: ['JFK'] },
      { grant: 'replace', stations: '*' },
      { grant: 'withdraw', stations: '*' },
    ]);
  });

  it('ListUsers and GetUser › return everything except the hashes', async () => {
    await add('bob');
    await add('Ada');
    const listed = await world.get(ListUsers).execute();
    expect(listed.map(({ name }) => name)).to.deep.equal(['Ada', 'bob']);
    expect(listed[0]).to.have.all.keys(
      'id',
      'name',
      'email',
      'enabled',
      'administrator',
      'stations',
      'createdAt',
    );
    expect(await world.get(GetUser).execute({ name: 'ADA' })).to.deep.equal(listed[0]);
  });

  it('ChangeUser › changes the named fields, applies the rules, and records the fields without their values', async () => {
    await add('ada');
    await change('ADA', { enabled: false, administrator: true });
    expect(await stored('ada')).to.include({ enabled: false, administrator: true });
    await change('ada', { email: 'ada@example.org' });
    await change('ada', { email: null, password: 'new password' });
    expect(await stored('ada')).to.include({ email: null, passwordHash: 'hash:drowssap wen' });
    await domainErrorOf(change('ada', { password: 'short' }), 'REQUEST_INVALID');
    await domainErrorOf(change('ada', { email: 'short' }), 'REQUEST_INVALID');
    expect((await world.auditTrail()).slice(1)).to.deep.equal([
      'user-change done enabled, administrator of ada',
      'user-change done email of ada',
      'user-change done email, password of ada',
    ]);
  });

  it('RemoveUser › removes a user for good', async () => {
    await add('ada');
    await world.get(RemoveUser).execute({ name: 'ada' }, CALLER);
    expect(await world.stores.credentials.list()).to.deep.equal([]);
    expect(await world.auditTrail()).to.include('user-remove done ada');
  });

  it('all of them say when there is no such user', async () => {
    await domainErrorOf(change('x', { enabled: true }), 'USER_UNKNOWN');
    await domainErrorOf(world.get(RemoveUser).execute({ name: 'x' }, CALLER), 'USER_UNKNOWN');
    await domainErrorOf(world.get(GetUser).execute({ name: 'x' }), 'USER_UNKNOWN');
    await domainErrorOf(world.get(ListSessions).execute({ user: 'x' }), 'USER_UNKNOWN');
    await domainErrorOf(world.get(EndSessions).execute({ user: 'x' }, CALLER), 'USER_UNKNOWN');
  });

  describe('for administrators', () => {
    let principal: Principal;
    beforeEach(async () => {
      await world.addUser('root', true);
      principal = await world.principalOf(await world.signIn('root'));
    });

    const put = (name: string, fields: object = {}) => {
      const input = { name, email: null, enabled: true, administrator: false, ...fields };
      return world.get(PutUser).execute(input, principal, CALLER);
    };
    const remove = (name: string) => world.get(DeleteUser).execute({ name }, principal, CALLER);

    it('PutUser › creates a user, then replaces its fields, and keeps the password if none is given', async () => {
      expect(await put('eve', { password: 'password' })).to.include({ name: 'eve', made: true });
      const hash = (await stored('eve'))?.passwordHash;
      expect(await put('EVE', { email: 'eve@example.org', enabled: false })).to.include({
        name: 'eve',
        email: 'eve@example.org',
        enabled: false,
        made: false,
      });
      expect(await stored('eve')).to.have.property('passwordHash', hash);
      await put('eve', { password: 'another one' });
      expect(await stored('eve')).to.include({ email: null, enabled: true });
      expect((await stored('eve'))?.passwordHash).not.to.equal(hash);
    });

    it('PutUser › replaces the stations, and keeps them if none are given', async () => {
      await addStation(world);
      const stationsAfter = async (fields: object) =>
        (await put('eve', { password: 'password', ...fields })).stations;
      expect(await stationsAfter({ stations: ['JFK'] })).to.deep.equal(['JFK']);
      expect(await stationsAfter({})).to.deep.equal(['JFK']);
      expect(await stationsAfter({ stations: '*' })).to.equal('*');
      expect(await stationsAfter({ stations: [] })).to.deep.equal([]);
    });

    it('PutUser › creates no user without a password', async () => {
      await domainErrorOf(put('eve'), 'REQUEST_INVALID');
      expect(await stored('eve')).to.equal(undefined);
    });

    it('administrators cannot lock themselves out, under any form of their name', async () => {
      for (const name of ['root', ' ROOT', 'ｒｏｏｔ']) {
        await domainErrorOf(put(name, { administrator: true, enabled: false }), 'AUTH_NOT_ALLOWED');
        await domainErrorOf(put(name, { administrator: false }), 'AUTH_NOT_ALLOWED');
        await domainErrorOf(remove(name), 'AUTH_NOT_ALLOWED');
      }
      expect(await put('root', { administrator: true })).to.include({ enabled: true });
    });

    it('DeleteUser › removes others', async () => {
      await add('eve');
      await remove('eve');
      expect(await stored('eve')).to.equal(undefined);
      await domainErrorOf(remove('eve'), 'USER_UNKNOWN');
    });
  });
});
