import type { Elevation, LiveSession, Session } from '../../domain/accounts/session.js';

/**
 * The sessions. A session exists until it is ended, until its user is disabled or removed or gets a new password
 * (`CredentialStore` removes it in the same transaction), or until some time after its expiry. Every method may reject
 * with STORE_UNAVAILABLE.
 */
export interface SessionStore {
  /**
   * Stores a new session if its user exists, is enabled and still has `passwordHash`. A sign-in that began before a
   * change of the password must not succeed after it. Resolves to whether the session was stored.
   */
  add(session: Session, passwordHash: string): Promise<boolean>;
  /** The current session, or undefined. It may have expired. */
  find(id: string): Promise<LiveSession | undefined>;
  /** Like `find`, but the result may be up to five seconds old. */
  findRecent(id: string): Promise<LiveSession | undefined>;
  /** The sessions of one user, or of all, that have not expired at `now` (seconds), newest first. */
  list(now: number, userId?: string): Promise<readonly LiveSession[]>;
  /**
   * Counts an attempt to elevate, before its outcome is known. Resolves to the number of attempts since the last
   * successful one, this attempt included; 0 if there is no such session.
   */
  countElevationAttempt(id: string): Promise<number>;
  /** Removes one counted attempt that failed for a reason other than a wrong password. */
  forgetElevationAttempt(id: string): Promise<void>;
  /** Makes `elevation` the valid elevation and resets the count of attempts. Resolves to whether the session exists. */
  elevate(id: string, elevation: Elevation): Promise<boolean>;
  /** Ends the elevation, if there is one. */
  drop(id: string): Promise<void>;
  /** Ends a session. Resolves to whether it existed. */
  end(id: string): Promise<boolean>;
  /** Ends all sessions of a user. Resolves to their number. */
  endAll(userId: string): Promise<number>;
  /** Removes the sessions that expired before `now` (seconds). */
  purge(now: number): Promise<void>;
}
