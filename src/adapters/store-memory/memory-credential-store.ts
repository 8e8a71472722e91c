import type { CredentialStore } from '../../application/ports/credential-store.js';
import { DomainError } from '../../domain/domain-error.js';
import { identityKey, type User } from '../../domain/user.js';

/** Users in memory, gone when the process ends: for trying things out and for tests. */
export class MemoryCredentialStore implements CredentialStore {
  readonly name = 'credential store';
  readonly #users = new Map<string, User>();

  async findByName(nameKey: string): Promise<User | undefined> {
    return this.#withName(nameKey);
  }

  async findByEmail(emailKey: string): Promise<User | undefined> {
    return this.#withEmail(emailKey);
  }

  async list(): Promise<readonly User[]> {
    // The order of code points, as the other stores have it.
    const keyed = [...this.#users.values()].map((user) => ({
      user,
      key: Buffer.from(identityKey(user.name)),
    }));
    return keyed.sort((a, b) => a.key.compare(b.key)).map(({ user }) => user);
  }

  async add(user: User): Promise<void> {
    const taken =
      this.#users.has(user.id) ||
      this.#withName(identityKey(user.name)) !== undefined ||
      (user.email !== null && this.#withEmail(identityKey(user.email)) !== undefined);
    if (taken) throw new DomainError('USER_EXISTS', 'A user with this name or email exists already.');
    this.#users.set(user.id, user);
  }

  async setEnabled(id: string, enabled: boolean): Promise<void> {
    this.#users.set(id, { ...this.#existing(id), enabled });
  }

  async setPasswordHash(id: string, passwordHash: string): Promise<void> {
    this.#users.set(id, { ...this.#existing(id), passwordHash });
  }

  async remove(id: string): Promise<void> {
    this.#users.delete(this.#existing(id).id);
  }

  async check(): Promise<void> {}

  async close(): Promise<void> {
    this.#users.clear();
  }

  #withName(nameKey: string): User | undefined {
    return [...this.#users.values()].find(({ name }) => identityKey(name) === nameKey);
  }

  #withEmail(emailKey: string): User | undefined {
    return [...this.#users.values()].find(({ email }) => email !== null && identityKey(email) === emailKey);
  }

  #existing(id: string): User {
    const user = this.#users.get(id);
    if (user === undefined) throw new DomainError('USER_UNKNOWN', 'There is no such user.');
    return user;
  }
}
