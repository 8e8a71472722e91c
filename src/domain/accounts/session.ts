import { DomainError } from '../domain-error.js';
import { mayWrite, type StationGrant } from './user.js';

/** What a sign-in begins: every token belongs to one, and ends with it. */
export interface Session {
  readonly id: string;
  /** `User.id`. */
  readonly userId: string;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly createdAt: number;
  /** Expiry of the session and of its basic token, in whole seconds since 1970-01-01T00:00:00Z. */
  readonly validTo: number;
  /** Where the sign-in came from, or null when that is not known. */
  readonly address: string | null;
  /** The one elevated token that holds, or null. */
  readonly elevation: Elevation | null;
}

export interface Elevation {
  readonly tokenId: string;
  /** Whole seconds since 1970-01-01T00:00:00Z. */
  readonly validTo: number;
}

/** A session that holds, with what its user is now. */
export interface LiveSession extends Session {
  readonly userName: string;
  readonly administrator: boolean;
  readonly stations: StationGrant;
}

/** Somebody whose token has been found good. */
export interface Principal {
  readonly userId: string;
  readonly userName: string;
  readonly administrator: boolean;
  /** As `User.stations`. */
  readonly stations: StationGrant;
  readonly sessionId: string;
  readonly tokenId: string;
  readonly level: number;
  /** Whole seconds since 1970-01-01T00:00:00Z: the validity of the token. */
  readonly validFrom: number;
  readonly validTo: number;
}

/** @throws DomainError AUTH_NOT_ALLOWED when the bearer may not write observations of the station with this id */
export function assertMayWrite(principal: Principal, station: string): void {
  if (mayWrite(principal, station)) return;
  throw new DomainError(
    'AUTH_NOT_ALLOWED',
    `This user may not write observations of ${JSON.stringify(station)}.`,
  );
}
