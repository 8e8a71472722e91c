import { DomainError } from '../domain-error.js';
import { mayWrite, type StationGrant } from './user.js';

/** A sign-in begins a session. Every token belongs to a session and becomes invalid when the session ends. */
export interface Session {
  readonly id: string;
  /** `User.id`. */
  readonly userId: string;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly createdAt: number;
  /** Expiry of the session and of the token that the user got at sign-in, in whole seconds since 1970-01-01T00:00:00Z. */
  readonly validTo: number;
  /** Address of the client that signed in, or null if unknown. */
  readonly address: string | null;
  /**
   * The valid elevated token, or null. A user who gives the password again gets an elevated token, which permits more actions for
   * a few minutes. A session has at most one such token.
   */
  readonly elevation: Elevation | null;
}

/** A session that has just begun. It has no elevated token yet, see `Session.elevation`. */
export type NewSession = Omit<Session, 'elevation'>;

export interface Elevation {
  readonly tokenId: string;
  /** Whole seconds since 1970-01-01T00:00:00Z. */
  readonly validTo: number;
}

/** A valid session with the current fields of its user. */
export interface LiveSession extends Session {
  readonly userName: string;
  readonly administrator: boolean;
  readonly stations: StationGrant;
}

/** The user of a valid token. */
export interface Principal {
  readonly userId: string;
  readonly userName: string;
  readonly administrator: boolean;
  /** The stations that the user may write, as in `User.stations`. */
  readonly stations: StationGrant;
  readonly sessionId: string;
  readonly tokenId: string;
  readonly level: number;
  /** Start of the token's validity, in whole seconds since 1970-01-01T00:00:00Z. */
  readonly validFrom: number;
  readonly validTo: number;
}

/** @throws DomainError AUTH_NOT_ALLOWED if the user may not write observations of the station with this id */
export function assertMayWrite(principal: Principal, station: string): void {
  if (mayWrite(principal, station)) return;
  throw new DomainError(
    'AUTH_NOT_ALLOWED',
    `This user may not write observations of ${JSON.stringify(station)}.`,
  );
}
