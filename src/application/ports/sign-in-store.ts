import type { AttemptCounter } from '#domain/accounts/attempts.js';
import type { AuditEvent } from '#domain/accounts/audit-event.js';
import type { NewSession } from '#domain/accounts/session.js';
import type { User } from '#domain/accounts/user.js';

/** What a caller has presented, in the form of `identityKey`; null for what was left out. */
export interface PresentedKeys {
  readonly nameKey: string | null;
  readonly emailKey: string | null;
}

export interface BegunSignIn {
  /** The user to whom all presented keys belong, or undefined. */
  readonly user: Pick<User, 'id' | 'name' | 'passwordHash' | 'enabled'> | undefined;
  /** 0 when the attempt has been counted. Otherwise seconds, rounded up, after which another one would be counted. */
  readonly wait: number;
}

/** What is stored where the password was right. */
export interface SignInSuccess {
  readonly session: NewSession;
  /** The hash with which the password was compared. */
  readonly passwordHash: string;
  /** Counters that lose all their attempts. */
  readonly cleared: readonly AttemptCounter[];
  /** Counters that lose this attempt alone. */
  readonly takenBack: readonly AttemptCounter[];
}

/**
 * The attempts to sign in. Each method is one commit, in a place that all instances share. Every method may reject with
 * STORE_UNAVAILABLE.
 */
export interface SignInStore {
  /**
   * Counts an attempt in every counter before its outcome is known, so that many at once cannot slip through, and finds
   * the user. Where a counter is at a limit nothing is counted and nothing is written.
   *
   * @param now milliseconds since 1970-01-01T00:00:00Z
   */
  begin(keys: PresentedKeys, counters: readonly AttemptCounter[], now: number): Promise<BegunSignIn>;
  /**
   * Stores the session, changes the counters and appends the event with the outcome `done`, provided that the user is there,
   * enabled, and still has `passwordHash`: a sign-in that began before a password was changed must not outlive the change.
   * Otherwise only the event with the outcome `refused` is appended. Resolves to whether the session was stored.
   */
  finish(success: SignInSuccess, events: readonly AuditEvent[]): Promise<boolean>;
  /** Takes back one attempt in every counter. */
  takeBack(counters: readonly AttemptCounter[]): Promise<void>;
  /** Removes the counts that have expired before `now`, in milliseconds. */
  purge(now: number): Promise<void>;
}
