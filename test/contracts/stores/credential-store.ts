import { expect } from 'chai';
import type { AuditStore } from '#application/ports/audit-store.js';
import type { CredentialStore } from '#application/ports/credential-store.js';
import { type User, userText } from '#domain/accounts/user.js';
import type { AuditEvent } from '#domain/accounts/audit-event.js';
import { domainErrorOf } from '../../support/rejection.js';

export const ADA: User = {
  id: '1',
  name: 'Ada',
  email: 'Ada@Example.org',
  passwordHash: '$hash$1',
  enabled: true,
  administrator: true,
  stations: [],
  createdAt: 1_770_000_000_123,
};
export const BOB: User = {
  ...ADA,
  id: '2',
  name: 'bob',
  email: null,
  passwordHash: '$hash$2',
  administrator: false,
};

export async function userById(store: CredentialStore, id: string): Promise<User | undefined> {
  return (await store.list()).find((user) => user.id === id);
}

const EVENT: AuditEvent = {
  time: ADA.createdAt,
  action: 'setup',
  outcome: 'done',
  actor: null,
  subject: null,
  address: '127.0.0.1',
  requestId: null,
  detail: null,
};

/** What a CredentialStore must do. `opened` gives one that is empty and open. */
export function credentialStoreContract(opened: () => CredentialStore, audit: () => AuditStore): void {
  let store: CredentialStore;
  beforeEach(() => (store = opened()));

  it('gives back what was added, by the key of its name', async () => {
    await store.add(ADA);
    await store.add(BOB);
    expect(await store.findByName('ada')).to.deep.equal(ADA);
    expect(await store.findByName('bob')).to.deep.equal(BOB);
    expect(await store.list()).to.deep.equal([ADA, BOB]);
  });

  it('finds no user by another key', async () => {
    await store.add(BOB);
    for (const key of ['Bob', "' OR 1=1 --", 'bob\u0000', '\u0000', 'bob\ud800', '']) {
      expect(await store.findByName(key), JSON.stringify(key)).to.equal(undefined);
    }
  });

  it('lists in the order of the name keys, whatever the script', async () => {
    const names = ['zoe', 'Ada', 'álvaro', 'bob', '秋子', '𝒳eno', 'ﬀ'];
    for (const [index, name] of names.entries()) await store.add({ ...BOB, id: String(index), name });
    const listed = (await store.list()).map((user) => user.name);
    expect(listed).to.deep.equal(['Ada', 'bob', 'ﬀ', '𝒳eno', 'zoe', 'álvaro', '秋子']);
  });

  it('refuses a second user with the same name key, email key or id', async () => {
    await store.add(ADA);
    await domainErrorOf(store.add({ ...BOB, name: 'ADA' }), 'USER_EXISTS');
    await domainErrorOf(store.add({ ...BOB, email: 'ADA@example.ORG' }), 'USER_EXISTS');
    await domainErrorOf(store.add({ ...BOB, id: '1' }), 'USER_EXISTS');
    expect(await store.list()).to.deep.equal([ADA]);
  });

  it('changes a user only if the user is as expected', async () => {
    await store.add(ADA);
    await domainErrorOf(
      store.change('1', { email: null }, userText({ ...ADA, enabled: false })),
      'PRECONDITION_FAILED',
    );
    await domainErrorOf(store.change('2', { email: null }, userText(ADA)), 'USER_UNKNOWN');
    expect(await store.list()).to.deep.equal([ADA]);
    const expected = userText((await store.findByName('ada')) as User);
    const changes = ['a@x.org', 'b@x.org', 'c@x.org'].map((email) => store.change('1', { email }, expected));
    const outcomes = await Promise.allSettled(changes);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.lengthOf(1);
  });

  it('takes any number of users without an email', async () => {
    await store.add(BOB);
    await store.add({ ...BOB, id: '3', name: 'eve' });
    expect(await store.list()).to.have.length(2);
  });

  it('adds a name once if many callers add it at the same time', async () => {
    const added = await Promise.allSettled(
      Array.from({ length: 10 }, (_, id) => store.add({ ...BOB, id: String(id) })),
    );
    expect(added.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
  });

  const first = (id: string, name = `user${id}`) =>
    store.addFirstAdministrator({ ...ADA, id, name, email: null }, { ...EVENT, subject: name });

  it('adds the first administrator once, with its event, if many callers add it at the same time', async () => {
    await store.add(BOB);
    expect(await store.hasAdministrator()).to.equal(false);
    const added = await Promise.all(Array.from({ length: 10 }, (_, id) => first(`first${id}`)));
    expect(added.filter(Boolean)).to.have.length(1);
    expect(await store.hasAdministrator()).to.equal(true);
    const [administrator, ...others] = (await store.list()).filter((user) => user.administrator);
    expect(others).to.deep.equal([]);
    const events = await audit().list(10);
    expect(events.map(({ subject }) => subject)).to.deep.equal([administrator?.name]);
  });

  it('adds no first administrator if there is one, also a disabled one, and nothing if the name is taken', async () => {
    await store.add(BOB);
    await domainErrorOf(first('3', 'BOB'), 'USER_EXISTS');
    await store.add({ ...ADA, enabled: false });
    expect(await first('4')).to.equal(false);
    expect(await store.list()).to.deep.equal([{ ...ADA, enabled: false }, BOB]);
    expect(await audit().list(10)).to.deep.equal([]);
  });

  it('changes the given fields and nothing else', async () => {
    await store.add(ADA);
    await store.add(BOB);
    await store.change('1', { enabled: false });
    await store.change('1', { enabled: false, passwordHash: '$hash$9' });
    expect(await userById(store, '1')).to.deep.equal({ ...ADA, enabled: false, passwordHash: '$hash$9' });
    await store.change('1', { email: null, administrator: false, enabled: true });
    expect(await userById(store, '1')).to.deep.equal({
      ...ADA,
      email: null,
      administrator: false,
      passwordHash: '$hash$9',
    });
    await store.change('1', {});
    expect(await userById(store, '2')).to.deep.equal(BOB);
  });

  it('changes an email to one that is free, also to another form of the same, and to no taken one', async () => {
    await store.add(ADA);
    await store.add(BOB);
    await store.change('1', { email: 'ada@example.org' });
    await domainErrorOf(store.change('2', { email: 'ADA@Example.org', enabled: false }), 'USER_EXISTS');
    expect(await userById(store, '2')).to.deep.equal(BOB);
    await store.change('1', { email: 'other@example.org' });
    await store.change('2', { email: 'ada@example.org' });
    expect(await userById(store, '2')).to.have.property('email', 'ada@example.org');
  });

  it('gives an email to one user if two request it at the same time', async () => {
    await store.add({ ...ADA, email: null });
    await store.add(BOB);
    const changed = await Promise.allSettled(['1', '2'].map((id) => store.change(id, { email: 'x@y' })));
    expect(changed.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    const [refused] = changed.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(refused?.reason).to.have.property('code', 'USER_EXISTS');
  });

  it('removes for good, and the name is free again', async () => {
    await store.add(ADA);
    await store.remove('1');
    expect(await store.list()).to.deep.equal([]);
    await store.add({ ...ADA, id: '7' });
    expect(await store.findByName('ada')).to.have.property('id', '7');
  });

  it('rejects if there is no such user', async () => {
    await domainErrorOf(store.change('x', { enabled: true }), 'USER_UNKNOWN');
    await domainErrorOf(store.change('x', { passwordHash: '$', email: 'a@b' }), 'USER_UNKNOWN');
    await domainErrorOf(store.remove('x'), 'USER_UNKNOWN');
  });
}
