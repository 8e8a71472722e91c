import type { User } from '../../domain/user.js';
import type { Check } from './check.js';

/**
 * The users. Keys are in the form of `identityKey`. What a promise has confirmed is on disk. Every method may
 * reject with STORE_UNAVAILABLE when the store does not answer in bounded time.
 */
export interface CredentialStore extends Check {
  /** The user whose name has this key, or undefined. */
  findByName(nameKey: string): Promise<User | undefined>;
  /** The user whose email has this key, or undefined. */
  findByEmail(emailKey: string): Promise<User | undefined>;
  /** All users in the order of their name keys. */
  list(): Promise<readonly User[]>;
  /** Stores a new user. Rejects with USER_EXISTS when its id, name key or email key is taken. */
  add(user: User): Promise<void>;
  /** Switches a user on or off; setting the same again is no error. Rejects with USER_UNKNOWN. */
  setEnabled(id: string, enabled: boolean): Promise<void>;
  /** Replaces the password hash. Rejects with USER_UNKNOWN. */
  setPasswordHash(id: string, passwordHash: string): Promise<void>;
  /** Removes a user for good. Rejects with USER_UNKNOWN. */
  remove(id: string): Promise<void>;
  /** Releases what the store holds. No method is called afterwards. */
  close(): Promise<void>;
}
