import type { AuditEvent } from '#domain/accounts/audit-event.js';
import type { Elevation, LiveSession } from '#domain/accounts/session.js';

/** An attempt to elevate. */
export interface BegunElevation {
  /**
   * Number of attempts since the last that succeeded, this one included. Where it is above the limit the attempt has not
   * been counted.
   */
  readonly attempts: number;
  /** Of the user. */
  readonly passwordHash: string;
}

/**
 * The sessions, which `SignInStore` begins. A session is there as long as it holds: it goes when it is ended, when its user
 * is disabled or removed or gets a new password (which `CredentialStore` does in the same transaction), and some time after
 * it has expired. Each method is one commit. Every method may reject with STORE_UNAVAILABLE.
 */
export interface SessionStore {
  /**
   * The session, or undefined. It may have expired.
   *
   * @param maxAge milliseconds; the session may be returned as it was up to so long ago. By default it is current.
   */
  find(id: string, maxAge?: number): Promise<LiveSession | undefined>;
  /** The sessions of one user, or of all, that have not expired at `now` (seconds), newest first. */
  list(now: number, userId?: string): Promise<readonly LiveSession[]>;
  /**
   * Counts an attempt to elevate, before its outcome is known, unless `limit` attempts have been counted already. Resolves
   * to undefined when there is no such session.
   */
  beginElevation(id: string, limit: number): Promise<BegunElevation | undefined>;
  /** Reduces the count by an attempt that failed for another reason than the password. */
  takeBackElevation(id: string): Promise<void>;
  /**
   * Stores the elevation in place of an earlier one, resets the count of attempts, and appends the event. Resolves to
   * false, without writing, if the session does not exist.
   */
  elevate(id: string, elevation: Elevation, event: AuditEvent): Promise<boolean>;
  /** Ends the elevation, if there is one. */
  drop(id: string): Promise<void>;
  /** Ends a session. Resolves to whether there was one. Appends the events in any case. */
  end(id: string, events?: readonly AuditEvent[]): Promise<boolean>;
  /** Ends all sessions of a user. Resolves to their number. */
  endAll(userId: string): Promise<number>;
  /** Removes the sessions that expired before `now` (seconds). */
  purge(now: number): Promise<void>;
}
