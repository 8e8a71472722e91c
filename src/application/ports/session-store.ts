import type { Elevation, LiveSession, Session } from '../../domain/accounts/session.js';

/**
 * The sessions. A session is there as long as it holds: it goes when it is ended, when its user is disabled or removed
 * or gets a new password (which `CredentialStore` does in the same transaction), and some time after it has expired.
 * Every method may reject with STORE_UNAVAILABLE.
 */
export interface SessionStore {
  /**
   * Stores a new session, provided that its user is there, enabled, and still has `passwordHash`: a sign-in that
   * began before a password was changed must not outlive the change. Resolves to whether it was stored.
   */
  add(session: Session, passwordHash: string): Promise<boolean>;
  /** The session as it is now, or undefined. It may have expired. */
  find(id: string): Promise<LiveSession | undefined>;
  /** Like `find`, but what was true at some time within the last five seconds will do. */
  findRecent(id: string): Promise<LiveSession | undefined>;
  /** The sessions that have not expired at `now` (seconds), newest first; of one user, or of all. */
  list(now: number, userId?: string): Promise<readonly LiveSession[]>;
  /**
   * Counts an attempt to elevate, before its outcome is known. Resolves to the number of attempts since the last that
   * succeeded, this one included; 0 when there is no such session.
   */
  countElevationAttempt(id: string): Promise<number>;
  /** Takes back one counted attempt that came to nothing, through no fault of the caller. */
  forgetElevationAttempt(id: string): Promise<void>;
  /** Makes `elevation` the one that holds and forgets the attempts. Resolves to whether there is such a session. */
  elevate(id: string, elevation: Elevation): Promise<boolean>;
  /** Ends the elevation, if there is one. */
  drop(id: string): Promise<void>;
  /** Ends a session. Resolves to whether there was one. */
  end(id: string): Promise<boolean>;
  /** Ends all sessions of a user. Resolves to their number. */
  endAll(userId: string): Promise<number>;
  /** Removes what has expired before `now` (seconds). */
  purge(now: number): Promise<void>;
}
