/**
 * Slow, salted hashing of passwords that have been prepared by the domain. Work is queued up to a bound;
 * beyond it both methods reject with SERVICE_UNAVAILABLE and `retryAfter` at once.
 */
export interface PasswordHasher {
  /** A hash that no password matches and that costs as much to verify as a real one. */
  readonly decoy: string;
  /** A PHC string, different at every call. */
  hash(password: string): Promise<string>;
  /** Whether `password` is the one that `hash` was made from. Rejects when `hash` is no PHC string. */
  verify(hash: string, password: string): Promise<boolean>;
  /** Ends the work in progress and releases what the hasher holds. */
  close(): Promise<void>;
}
