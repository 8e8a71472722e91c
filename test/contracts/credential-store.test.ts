import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { MemoryCredentialStore } from '../../src/adapters/store-memory/memory-credential-store.js';
import { SqliteCredentialStore } from '../../src/adapters/store-sqlite/sqlite-credential-store.js';
import { SqliteDatabase } from '../../src/adapters/store-sqlite/sqlite-database.js';
import type { CredentialStore } from '../../src/application/ports/credential-store.js';
import type { User } from '../../src/domain/user.js';
import { domainErrorOf } from '../support/rejection.js';

/** The store matrix: a line for each. */
const STORES: readonly (readonly [name: string, open: (folder: string) => Promise<CredentialStore>])[] = [
  ['memory', async () => new MemoryCredentialStore()],
  ['sqlite', openSqlite],
];

async function openSqlite(folder: string): Promise<CredentialStore> {
  const database = new SqliteDatabase(join(folder, 'weatherd.db'));
  await database.open();
  return new SqliteCredentialStore(database);
}

const ADA: User = {
  id: '1',
  name: 'Ada',
  email: 'Ada@Example.org',
  passwordHash: '$hash$1',
  enabled: true,
  createdAt: 1_770_000_000_123,
};
const BOB: User = { ...ADA, id: '2', name: 'bob', email: null, passwordHash: '$hash$2' };

for (const [name, open] of STORES) {
  describe(`${name}: CredentialStore`, () => {
    let folder: string;
    let store: CredentialStore;

    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'weatherd-store-'));
      store = await open(folder);
    });
    afterEach(async () => {
      await store.close();
      await rm(folder, { recursive: true });
    });

    it('gives back what was added, by the key of its name and of its email', async () => {
      await store.add(ADA);
      await store.add(BOB);
      expect(await store.findByName('ada')).to.deep.equal(ADA);
      expect(await store.findByEmail('ada@example.org')).to.deep.equal(ADA);
      expect(await store.findByName('bob')).to.deep.equal(BOB);
    });

    it('finds nobody by another key', async () => {
      await store.add(BOB);
      expect(await store.findByName('Bob')).to.equal(undefined);
      expect(await store.findByName("' OR 1=1 --")).to.equal(undefined);
      expect(await store.findByEmail('bob')).to.equal(undefined);
    });

    it('lists in the order of the name keys, whatever the script', async () => {
      const names = ['zoe', 'Ada', 'álvaro', 'bob', '秋子', '𝒳eno', 'ﬀ'];
      for (const [index, userName] of names.entries()) {
        await store.add({ ...BOB, id: String(index), name: userName });
      }
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

    it('takes any number of users without an email', async () => {
      await store.add(BOB);
      await store.add({ ...BOB, id: '3', name: 'eve' });
      expect(await store.list()).to.have.length(2);
    });

    it('of many that add the same name at once one succeeds', async () => {
      const added = await Promise.allSettled(
        Array.from({ length: 10 }, (_, id) => store.add({ ...BOB, id: String(id) })),
      );
      expect(added.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    });

    it('changes what it is asked to and nothing else', async () => {
      await store.add(ADA);
      await store.add(BOB);
      await store.setEnabled('1', false);
      await store.setEnabled('1', false);
      await store.setPasswordHash('1', '$hash$9');
      expect(await store.findByName('ada')).to.deep.equal({
        ...ADA,
        enabled: false,
        passwordHash: '$hash$9',
      });
      expect(await store.findByName('bob')).to.deep.equal(BOB);
    });

    it('removes for good, and the name is free again', async () => {
      await store.add(ADA);
      await store.remove('1');
      expect(await store.list()).to.deep.equal([]);
      await store.add({ ...ADA, id: '7' });
      expect(await store.findByName('ada')).to.have.property('id', '7');
    });

    it('says when there is no such user', async () => {
      await domainErrorOf(store.setEnabled('x', true), 'USER_UNKNOWN');
      await domainErrorOf(store.setPasswordHash('x', '$'), 'USER_UNKNOWN');
      await domainErrorOf(store.remove('x'), 'USER_UNKNOWN');
    });

    it('works, says its check', async () => {
      expect(await store.check()).to.equal(undefined);
    });
  });
}
