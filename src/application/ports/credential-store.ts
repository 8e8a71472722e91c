import type { User } from '../../domain/user.js';
import type { Check } from './check.js';

export interface UserChanges {
  readonly email?: string | null;
  readonly passwordHash?: string;
  readonly enabled?: boolean;
  readonly administrator?: boolean;
}

/**
 * The users. Keys are in the form of `identityKey`. What a promise has confirmed is on disk. Every method may
 * reject with STORE_UNAVAILABLE when the store does not answer in bounded time.
 */
export interface CredentialStore extends Check {
  /** The user whose name has this key, or undefined. */
  findByName(nameKey: string): Promise<User | undefined>;
  /** The user whose email has this key, or undefined. */
  findByEmail(emailKey: string): Promise<User | undefined>;
  /** The user with this id, or undefined. */
  findById(id: string): Promise<User | undefined>;
  /** All users in the order of their name keys. */
  list(): Promise<readonly User[]>;
  /** Stores a new user. Rejects with USER_EXISTS when its id, name key or email key is taken. */
  add(user: User): Promise<void>;
  /**
   * Changes what `changes` names. Switching a user off and replacing the password hash end all of the user's sessions,
   * in the same transaction. Rejects with USER_UNKNOWN, and with USER_EXISTS when the email key is another user's.
   */
  change(id: string, changes: UserChanges): Promise<void>;
  /** Removes a user for good, and the user's sessions. Rejects with USER_UNKNOWN. */
  remove(id: string): Promise<void>;
  /** Releases what the store holds. No method is called afterwards. */
  close(): Promise<void>;
}
