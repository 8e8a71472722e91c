import type { AuditEvent } from '#domain/accounts/audit-event.js';
import type { Elevation, LiveSession } from '#domain/accounts/session.js';

/**
 * An attempt to elevate a session: the user enters the password again and gets an elevated token, which permits more than the
 * token of the sign-in. It is not known yet whether the password is right.
 */
export interface BegunElevation {
  /**
   * Number of attempts since the last successful attempt, plus 1 for this attempt. If the number is above the limit, this attempt
   * was not added to the stored count.
   */
  readonly attempts: number;
  /** The hash of the user's password. */
  readonly passwordHash: string;
}

/**
 * The sessions. `SignInStore` creates them. A session is removed in these cases:
 *
 * - `end` or `endAll` is called.
 * - The session has expired. `purge` removes it some time later.
 * - The user is disabled, is removed or gets a new password. `CredentialStore` then removes the sessions of the user, in the
 *   transaction that changes the user.
 *
 * Each method is one commit. Every method may reject with STORE_UNAVAILABLE.
 */
export interface SessionStore {
  /**
   * The session, or undefined. A returned session may have expired.
   *
   * @param maxAge largest age of the returned data in milliseconds. By default the data are current.
   */
  find(id: string, maxAge?: number): Promise<LiveSession | undefined>;
  /** The sessions of one user, or of all users, that have not expired at `now` (seconds), newest first. */
  list(now: number, userId?: string): Promise<readonly LiveSession[]>;
  /**
   * Counts an attempt to elevate the session (see `BegunElevation`) before its password is verified, unless `limit` attempts are
   * counted already. Resolves to undefined if the session does not exist.
   */
  beginElevation(id: string, limit: number): Promise<BegunElevation | undefined>;
  /** Removes one attempt from the count. Called if the attempt failed for a reason other than a wrong password. */
  uncountElevation(id: string): Promise<void>;
  /**
   * Stores the elevation in place of an earlier elevation, resets the count of attempts, and appends the event. Resolves to
   * false, without writing, if the session does not exist.
   */
  elevate(id: string, elevation: Elevation, event: AuditEvent): Promise<boolean>;
  /** Ends the elevation of a session, if it has one. */
  drop(id: string): Promise<void>;
  /** Ends a session. Resolves to whether the session existed. The events are appended in any case. */
  end(id: string, events?: readonly AuditEvent[]): Promise<boolean>;
  /** Ends all sessions of a user. Resolves to their number. */
  endAll(userId: string): Promise<number>;
  /** Removes the sessions that expired before `now` (seconds). */
  purge(now: number): Promise<void>;
}
