import type { StationGrant, User } from '../../domain/accounts/user.js';

export interface UserChanges {
  readonly email?: string | null;
  readonly passwordHash?: string;
  readonly enabled?: boolean;
  readonly administrator?: boolean;
  readonly stations?: GrantChange;
}

/**
 * What becomes of the stations whose observations a user may write: they are replaced by `stations`, or those are added or
 * taken away. `*` in place of ids is all stations; withdrawing it leaves none.
 */
export interface GrantChange {
  readonly how: 'replace' | 'grant' | 'withdraw';
  readonly stations: StationGrant;
}

/**
 * The users. Keys are in the form of `identityKey`. A grant belongs to a station and not to its id: it goes when the station
 * is removed for good, and one that is made later under the same id does not have it. What a promise has confirmed is on disk. Every method may
 * reject with STORE_UNAVAILABLE when the store does not answer in bounded time.
 */
export interface CredentialStore {
  /** The user whose name has this key, or undefined. */
  findByName(nameKey: string): Promise<User | undefined>;
  /** All users in the order of their name keys. */
  list(): Promise<readonly User[]>;
  /** Stores a new user. Rejects with USER_EXISTS when its id, name key or email key is taken, STATION_UNKNOWN. */
  add(user: User): Promise<void>;
  /**
   * Changes what `changes` names, all or nothing. Switching a user off and replacing the password hash end all of the
   * user's sessions, in the same transaction. Rejects with USER_UNKNOWN, with USER_EXISTS when the email
   * key is another user's, with STATION_UNKNOWN when `stations` names an id that no station has, removed ones included.
   */
  change(id: string, changes: UserChanges): Promise<void>;
  /** Removes a user for good, and the user's sessions. Rejects with USER_UNKNOWN. */
  remove(id: string): Promise<void>;
  /**
   * How many users an update has made readers: users of a version that let every user write. It is told once, by whichever
   * instance asks first; 0 from then on.
   */
  takeNewReaders(): Promise<number>;
}
