import { DomainError } from '../domain-error.js';

/**
 * Stations by id, in the order of their code points; those that are removed and can be restored are among them. `*`: all
 * stations, future ones included.
 */
export type StationGrant = readonly string[] | '*';

/**
 * What somebody may do. Each role may do what the one before it may. A reader reads; a writer writes observations of the
 * stations that are granted; an administrator changes everything.
 */
export type Role = 'reader' | 'writer' | 'administrator';

/** A person or program that may sign in. */
export interface User {
  /** Assigned once, never reused: the subject of tokens. */
  readonly id: string;
  /** As it was given; unique by `identityKey`. */
  readonly name: string;
  /** As it was given, or null; unique by `identityKey`. */
  readonly email: string | null;
  /** PHC string of the password's hash. */
  readonly passwordHash: string;
  readonly enabled: boolean;
  /** Whether elevated tokens of this user may change stations, users and observations and read the audit trail. */
  readonly administrator: boolean;
  /** Stations whose observations this user may write, as an administrator or not. */
  readonly stations: StationGrant;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly createdAt: number;
}

/** The fields of a user that other users may see. */
export type PublicUser = Omit<User, 'passwordHash'>;

export function withoutSecret({ passwordHash: _secret, ...user }: User): PublicUser {
  return user;
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
 * The form under which a name or an email is unique and looked up: Unicode NFKC, lower case, no space around.
 * `Ada`, ` ada` and `ＡＤＡ` are one user.
 */
export function identityKey(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase().normalize('NFKC');
}

/**
 * A user name fit to be stored. It has no `@`, so that it can never be mistaken for an email.
 *
 * @throws DomainError REQUEST_INVALID when it breaks the rule, which the message states
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
 * An email address fit to be stored. Only its shape is checked: nothing is ever sent to it.
 *
 * @throws DomainError REQUEST_INVALID when it is no address
 */
export function acceptEmail(email: string): string {
  const accepted = email.normalize('NFC').trim();
  if (!accepted.isWellFormed() || !EMAIL.test(accepted)) {
    throw new DomainError('REQUEST_INVALID', 'An email address has the form name@host.');
  }
  return accepted;
}
