import type { Clock } from '../../ports/clock.js';
import type { IdSource } from '../../ports/id-source.js';
import type { PasswordHasher } from '../../ports/password-hasher.js';
import type { TokenIssuer } from '../../ports/token-issuer.js';
import type { AuditTrail } from '../audit-trail.js';
import type { SignInQueue } from './sign-in-queue.js';

/** The dependencies of an attempt to get a token with a password. The store that counts the attempts is not included. */
export interface AttemptDependencies {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly passwords: PasswordHasher;
  readonly tokens: TokenIssuer;
  readonly queue: SignInQueue;
  readonly audit: AuditTrail;
}

/**
 * Runs `work` for an attempt that was already counted. If `work` rejects, the attempt is removed from the count, because a
 * failure of the service is not a wrong guess.
 */
export async function uncountOnFailure<T>(uncount: () => Promise<void>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await uncount();
    throw error;
  }
}
