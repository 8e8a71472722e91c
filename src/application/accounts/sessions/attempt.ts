import type { Clock } from '../../ports/clock.js';
import type { IdSource } from '../../ports/id-source.js';
import type { PasswordHasher } from '../../ports/password-hasher.js';
import type { TokenIssuer } from '../../ports/token-issuer.js';
import type { AuditTrail } from '../audit-trail.js';
import type { SignInQueue } from './sign-in-queue.js';

/** What an attempt to get a token with a password needs, besides its store. */
export interface AttemptDependencies {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly passwords: PasswordHasher;
  readonly tokens: TokenIssuer;
  readonly queue: SignInQueue;
  readonly audit: AuditTrail;
}

/** Runs `work` for an attempt that has been counted. When it rejects, the attempt is taken back: it was no guess. */
export async function takingBack<T>(takeBack: () => Promise<void>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await takeBack();
    throw error;
  }
}
