import { DomainError } from '../domain-error.js';

/**
 * Ids of stations, sorted by code point. Removed stations that can be restored are included. `*` means all stations,
 * including future stations.
 */
export type StationGrant = readonly string[] | '*';

/**
 * The role of a user. A reader only reads. A writer reads, and writes observations of the granted stations. An administrator may
 * change everything.
 */
export type Role = 'reader' | 'writer' | 'administrator';

/** A person or program that may sign in. */
export interface User {
  /** Assigned once and never reused. The id is the subject of tokens. */
  readonly id: string;
  /** The name as it was entered. No two users have names with the same `identityKey`. */
  readonly name: string;
  /** The address as it was entered, or null. No two users have addresses with the same `identityKey`. */
  readonly email: string | null;
  /** Hash of the password, as a PHC string. */
  readonly passwordHash: string;
  readonly enabled: boolean;
  /**
   * Whether this user may change stations, users and observations and read the audit trail. For these actions the user needs an
   * elevated token, which is issued when the user gives the password again.
   */
  readonly administrator: boolean;
  /** Stations whose observations this user may write. An administrator may write all stations. */
  readonly stations: StationGrant;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly createdAt: number;
}

/** The fields of a user that other users may see. */
export type PublicUser = Omit<User, 'passwordHash'>;

export function withoutSecret({ passwordHash: _secret, ...user }: User): PublicUser {
  return user;
}

/**
 * All fields of a user as text, which differs after every change. The hash of the password is included: its salt is random, so
 * that nobody can find the password with the text.
 */
export function userText({ id, name, email, passwordHash, enabled, administrator, stations }: User): string {
  return JSON.stringify([id, name, email, passwordHash, enabled, administrator, stations]);
}

/** Whether a user may write observations of the station with this id. */
export function mayWrite(user: Pick<User, 'administrator' | 'stations'>, station: string): boolean {
  return user.administrator || user.stations === '*' || user.stations.includes(station);
}

export function roleOf({ administrator, stations }: Pick<User, 'administrator' | 'stations'>): Role {
  if (administrator) return 'administrator';
  return stations.length > 0 ? 'writer' : 'reader';
}

const NAME = /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}._-]{0,63})$/u;
const EMAIL = /^[^\s@\p{C}]{1,64}@[^\s@\p{C}]{1,255}$/u;

/**
 * Returns the form of a name or an email by which equal names and emails are found: Unicode NFKC, lower case, trimmed. For
 * example, `Ada`, ` ada` and `ＡＤＡ` have the same key.
 */
export function identityKey(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase().normalize('NFKC');
}

/**
 * Checks the name of a user. The name must not contain `@`, so that a name is never mistaken for an email.
 *
 * @throws DomainError REQUEST_INVALID with the rule that the name breaks
 */
export function acceptUserName(name: string): string {
  const accepted = name.normalize('NFC').trim();
  if (!accepted.isWellFormed() || !NAME.test(accepted)) {
    throw new DomainError(
      'REQUEST_INVALID',
      'A user name has 1 to 64 letters, digits, ".", "_" or "-", and begins with a letter or a digit.',
    );
  }
  return accepted;
}

/**
 * Checks an email address. Only its form is checked, because the service never sends mail.
 *
 * @throws DomainError REQUEST_INVALID if it is not an address
 */
export function acceptEmail(email: string): string {
  const accepted = email.normalize('NFC').trim();
  if (!accepted.isWellFormed() || !EMAIL.test(accepted)) {
    throw new DomainError('REQUEST_INVALID', 'An email address has the form name@host.');
  }
  return accepted;
}
