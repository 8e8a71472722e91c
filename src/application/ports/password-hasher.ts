import type { Check } from './check.js';

/**
 * Slow, salted hashing of passwords that the domain has prepared. The queue of work is limited; when it is full, both
 * methods reject at once with SERVICE_UNAVAILABLE and `retryAfter`. Its check rejects if passwords cannot be hashed.
 */
export interface PasswordHasher extends Check {
  /** A hash that no password matches. Verifying it costs as much as verifying a real one. */
  readonly decoy: string;
  /** Returns a PHC string, which differs at every call. */
  hash(password: string): Promise<string>;
  /** Whether `hash` was made from `password`. Rejects if `hash` is not a PHC string. */
  verify(hash: string, password: string): Promise<boolean>;
  /** Ends the work in progress and releases the resources. */
  close(): Promise<void>;
}
