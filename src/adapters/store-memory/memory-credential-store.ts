import type { CredentialStore, GrantChange, UserChanges } from '#application/ports/credential-store.js';
import { identityKey, type User } from '#domain/accounts/user.js';
import { DomainError } from '#domain/domain-error.js';
import type { MemoryDatabase } from './memory-database.js';

/** Users in memory, for trials and tests. */
export class MemoryCredentialStore implements CredentialStore {
  readonly #database: MemoryDatabase;

  constructor(database: MemoryDatabase) {
    this.#database = database;
  }

  async findByName(nameKey: string): Promise<User | undefined> {
    return this.#all().find(({ name }) => identityKey(name) === nameKey);
  }

  async list(): Promise<readonly User[]> {
    // Sorted by code points, as in the other stores.
    const keyed = this.#all().map((user) => ({ user, key: Buffer.from(identityKey(user.name)) }));
    return keyed.sort((a, b) => a.key.compare(b.key)).map(({ user }) => user);
  }

  async add(user: User): Promise<void> {
    const nameKey = identityKey(user.name);
    const taken =
      this.#database.users.has(user.id) || this.#all().some(({ name }) => identityKey(name) === nameKey);
    if (taken) throw exists();
    this.#assertEmailFree(user.email, user.id);
    const { stations, ...rest } = user;
    this.#changeGrant(user.id, { how: 'replace', stations });
    this.#database.users.set(user.id, rest);
  }

  async change(id: string, changes: UserChanges): Promise<void> {
    const user = this.#existing(id);
    const { stations, ...rest } = changes;
    this.#assertEmailFree(changes.email, id);
    if (stations !== undefined) this.#changeGrant(id, stations);
    this.#database.users.set(id, { ...user, ...rest });
    if (changes.enabled === false || changes.passwordHash !== undefined) this.#database.endSessions(id);
  }

  async remove(id: string): Promise<void> {
    this.#database.users.delete(this.#existing(id).id);
    this.#database.grants.delete(id);
    this.#database.endSessions(id);
  }

  #all(): User[] {
    return [...this.#database.users.values()].map((user) => ({
      ...user,
      stations: this.#database.grantOf(user.id),
    }));
  }

  #changeGrant(id: string, { how, stations }: GrantChange): void {
    const before = this.#database.grants.get(id) ?? new Set();
    if (stations === '*') {
      this.#database.grants.set(id, how === 'withdraw' ? new Set() : '*');
      return;
    }
    const numbers = this.#database.numbersOf(stations);
    if (how === 'replace') this.#database.grants.set(id, numbers);
    else if (before !== '*') {
      const after = new Set(before);
      for (const number of numbers) after[how === 'grant' ? 'add' : 'delete'](number);
      this.#database.grants.set(id, after);
    }
  }

  #withEmail(emailKey: string): User | undefined {
    return this.#all().find(({ email }) => email !== null && identityKey(email) === emailKey);
  }

  #assertEmailFree(email: string | null | undefined, id: string): void {
    const holder = email == null ? undefined : this.#withEmail(identityKey(email));
    if (holder !== undefined && holder.id !== id) throw exists();
  }

  #existing(id: string): Omit<User, 'stations'> {
    const user = this.#database.users.get(id);
    if (user === undefined) throw new DomainError('USER_UNKNOWN', 'There is no such user.');
    return user;
  }
}

function exists(): DomainError {
  return new DomainError('USER_EXISTS', 'A user with this name or email exists already.');
}
