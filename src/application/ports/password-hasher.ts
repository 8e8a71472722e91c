import type { Check } from './check.js';

/**
 * Slow, salted hashing of passwords. Callers first convert a password with `preparePassword`, because two operating systems may
 * encode the same password differently. The queue of work is limited. If the queue is full, `hash` and `verify` reject at once
 * with SERVICE_UNAVAILABLE and `retryAfter`. The background check (`check`) rejects if passwords cannot be hashed.
 */
export interface PasswordHasher extends Check {
  /**
   * A hash that no password matches. Its verification takes as long as the verification of a real hash. If a user does not exist,
   * this hash is verified, so that the response time does not reveal unknown users.
   */
  readonly decoy: string;
  /** Returns a PHC string. It differs at every call, because the salt is random. */
  hash(password: string): Promise<string>;
  /** Whether `hash` is a hash of `password`. Rejects if `hash` is not a PHC string. */
  verify(hash: string, password: string): Promise<boolean>;
  /** Ends the work in progress and releases the resources. */
  close(): Promise<void>;
}
