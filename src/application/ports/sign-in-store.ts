import type { AttemptCounter } from '#domain/accounts/attempts.js';
import type { AuditEvent } from '#domain/accounts/audit-event.js';
import type { NewSession } from '#domain/accounts/session.js';
import type { User } from '#domain/accounts/user.js';

/**
 * The name and the email that the user entered, each converted by `identityKey`, so that upper and lower case do not matter; null
 * if absent.
 */
export interface PresentedKeys {
  readonly nameKey: string | null;
  readonly emailKey: string | null;
}

export interface BegunSignIn {
  /** The user to whom all presented keys belong, or undefined. */
  readonly user: Pick<User, 'id' | 'name' | 'passwordHash' | 'enabled'> | undefined;
  /** 0 if the attempt was counted. Otherwise the seconds, rounded up, after which another attempt would be counted. */
  readonly wait: number;
}

/** The data to store after a right password. */
export interface SignInSuccess {
  readonly session: NewSession;
  /** The hash with which the password was compared. */
  readonly passwordHash: string;
  /** Counters of sign-in attempts, for example of one user name, from which all attempts are removed. */
  readonly cleared: readonly AttemptCounter[];
  /** Counters of sign-in attempts, for example of one network, from which only this attempt is removed. */
  readonly uncounted: readonly AttemptCounter[];
}

/**
 * The attempts to sign in. Each method is one commit, in a store that all instances share. Every method may reject with
 * STORE_UNAVAILABLE.
 */
export interface SignInStore {
  /**
   * Counts a sign-in attempt in every counter, for example of the user name and of the network, and finds the user. The attempt
   * is counted before it is known whether the password is right, so that concurrent attempts count too. If a counter is at a
   * limit, nothing is counted and nothing is written.
   *
   * @param now milliseconds since 1970-01-01T00:00:00Z
   */
  begin(keys: PresentedKeys, counters: readonly AttemptCounter[], now: number): Promise<BegunSignIn>;
  /**
   * Stores the session if the user exists, is enabled and still has `passwordHash`. So a sign-in that began before a change of
   * the password has no effect after the change. Resolves to whether the session was stored.
   *
   * - If the session is stored, the counters are changed, and the event with the outcome `done` is appended.
   * - If it is not stored, only the event with the outcome `refused` is appended.
   */
  finish(success: SignInSuccess, events: readonly AuditEvent[]): Promise<boolean>;
  /** Removes one attempt from every counter. */
  uncount(counters: readonly AttemptCounter[]): Promise<void>;
  /** Removes the counts that expired before `now`, in milliseconds since 1970-01-01T00:00:00Z. */
  purge(now: number): Promise<void>;
}
