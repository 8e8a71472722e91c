import { identityKey, type User } from '#domain/accounts/user.js';
import { DomainError } from '#domain/domain-error.js';
import type { CredentialStore } from '../../ports/credential-store.js';

/**
 * Finds a user by name.
 *
 * @throws DomainError USER_UNKNOWN
 */
export async function findUser(users: CredentialStore, name: string): Promise<User> {
  const user = await users.findByName(identityKey(name));
  if (user === undefined)
    throw new DomainError('USER_UNKNOWN', `There is no user named ${JSON.stringify(name)}.`);
  return user;
}
