import { expect } from 'chai';
import { MemoryCredentialStore } from '../../src/adapters/store-memory/memory-credential-store.js';
import { AddUser } from '../../src/application/add-user.js';
import { ChangePassword } from '../../src/application/change-password.js';
import { ListUsers } from '../../src/application/list-users.js';
import { RemoveUser } from '../../src/application/remove-user.js';
import { SetUserEnabled } from '../../src/application/set-user-enabled.js';
import { domainErrorOf } from '../support/rejection.js';
import { CountingIds, FakeClock, ReversingHasher } from './fakes/fakes.js';

describe('user management', () => {
  let users: MemoryCredentialStore;
  let passwords: ReversingHasher;
  let add: AddUser;

  beforeEach(() => {
    users = new MemoryCredentialStore();
    passwords = new ReversingHasher();
    add = new AddUser(new FakeClock(), new CountingIds(), users, passwords);
  });

  const newUser = (name: string, email: string | null = null) =>
    add.execute({ name, email, password: 'password' });

  it('AddUser › stores a user who may sign in, with a hash for a password', async () => {
    await newUser(' Ada ', 'ada@example.org');
    expect(await users.findByName('ada')).to.deep.equal({
      id: 'id-1',
      name: 'Ada',
      email: 'ada@example.org',
      passwordHash: 'hash:drowssap',
      enabled: true,
      createdAt: new FakeClock().time,
    });
  });

  it('AddUser › refuses a name or an email that is taken, and rules that are broken', async () => {
    await newUser('Ada', 'ada@example.org');
    await domainErrorOf(newUser('ADA'), 'USER_EXISTS');
    await domainErrorOf(newUser('eve', 'ADA@example.org'), 'USER_EXISTS');
    await domainErrorOf(newUser('a b'), 'REQUEST_INVALID');
    await domainErrorOf(newUser('eve', 'no address'), 'REQUEST_INVALID');
    await domainErrorOf(add.execute({ name: 'eve', email: null, password: 'short' }), 'REQUEST_INVALID');
    expect(await users.list()).to.have.length(1);
  });

  it('ListUsers › gives everything but the hashes, by name', async () => {
    await newUser('bob');
    await newUser('Ada');
    const listed = await new ListUsers(users).execute();
    expect(listed.map(({ name }) => name)).to.deep.equal(['Ada', 'bob']);
    expect(listed[0]).to.have.all.keys('id', 'name', 'email', 'enabled', 'createdAt');
  });

  it('SetUserEnabled › switches a user off and on', async () => {
    await newUser('ada');
    const set = new SetUserEnabled(users);
    await set.execute({ name: 'ADA', enabled: false });
    expect(await users.findByName('ada')).to.have.property('enabled', false);
    await set.execute({ name: 'ada', enabled: true });
    expect(await users.findByName('ada')).to.have.property('enabled', true);
  });

  it('ChangePassword › replaces the hash, and only for a password that keeps the rules', async () => {
    await newUser('ada');
    const change = new ChangePassword(users, passwords);
    await change.execute({ name: 'ada', password: 'new password' });
    expect(await users.findByName('ada')).to.have.property('passwordHash', 'hash:drowssap wen');
    await domainErrorOf(change.execute({ name: 'ada', password: 'short' }), 'REQUEST_INVALID');
  });

  it('RemoveUser › removes a user for good', async () => {
    await newUser('ada');
    await new RemoveUser(users).execute({ name: 'ada' });
    expect(await users.list()).to.deep.equal([]);
  });

  it('all of them say when there is no such user', async () => {
    await domainErrorOf(new SetUserEnabled(users).execute({ name: 'x', enabled: true }), 'USER_UNKNOWN');
    await domainErrorOf(
      new ChangePassword(users, passwords).execute({ name: 'x', password: 'password' }),
      'USER_UNKNOWN',
    );
    await domainErrorOf(new RemoveUser(users).execute({ name: 'x' }), 'USER_UNKNOWN');
  });
});
