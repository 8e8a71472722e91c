import type { AuditEvent } from '#domain/accounts/audit-event.js';
import type { StationGrant, User } from '#domain/accounts/user.js';

export interface UserChanges {
  readonly email?: string | null;
  readonly passwordHash?: string;
  readonly enabled?: boolean;
  readonly administrator?: boolean;
  readonly stations?: GrantChange;
}

/**
 * A change of the stations whose observations a user may write. `replace`: `stations` become the only stations of the user.
 * `grant`: `stations` are added. `withdraw`: `stations` are removed. `*` means all stations; withdrawing `*` removes all
 * stations.
 */
export interface GrantChange {
  readonly how: 'replace' | 'grant' | 'withdraw';
  readonly stations: StationGrant;
}

/**
 * The users. Their names and emails are compared by keys: `identityKey` gives names that differ only in upper and lower case the
 * same key.
 *
 * A grant permits a user to write the observations of a station. It belongs to the station and not to the id of the station. So
 * the grant ends when the station is permanently removed, and does not apply to a new station with the same id.
 *
 * When a promise resolves, the data are on disk. Every method may reject with STORE_UNAVAILABLE if the store does not answer in
 * bounded time.
 */
export interface CredentialStore {
  /** The user with this name, or undefined. @param nameKey the name as `identityKey` returns it */
  findByName(nameKey: string): Promise<User | undefined>;
  /** All users in the order of their name keys. */
  list(): Promise<readonly User[]>;
  /**
   * Stores a new user. Rejects with USER_EXISTS if the id, the name key or the email key of the user is in use; with
   * STATION_UNKNOWN if a station of the user does not exist.
   */
  add(user: User): Promise<void>;
  /** Whether a user is an administrator, enabled or not. */
  hasAdministrator(): Promise<boolean>;
  /**
   * Stores a new administrator with an audit event in one commit, if there is no administrator. Of several concurrent calls, one
   * succeeds. Resolves to whether the administrator was stored. Rejects with USER_EXISTS as `add`.
   */
  addFirstAdministrator(user: User, event: AuditEvent): Promise<boolean>;
  /**
   * Changes the fields in `changes`, all or none. If the user is disabled or the password hash is replaced, all sessions of the
   * user end in the same transaction.
   *
   * - Rejects with USER_UNKNOWN if no user has this id.
   * - Rejects with PRECONDITION_FAILED if `expected` is given and differs from `userText` of the user.
   * - Rejects with USER_EXISTS if another user has the email key.
   * - Rejects with STATION_UNKNOWN if an id in `stations` belongs to no station. A removed station that can be restored still
   *   counts as a station.
   */
  change(id: string, changes: UserChanges, expected?: string): Promise<void>;
  /** Removes a user permanently, with the user's sessions. Rejects with USER_UNKNOWN. */
  remove(id: string): Promise<void>;
}
