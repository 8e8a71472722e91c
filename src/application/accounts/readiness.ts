import { DomainError, isDomainError } from '#domain/domain-error.js';

/** The error for every action with tokens while authentication is off, has no signing key or cannot reach its store. */
export function notReady(cause?: unknown): DomainError {
  const message = 'The authentication feature is not ready yet.';
  return new DomainError('AUTH_NOT_READY_YET', message, cause === undefined ? {} : { cause });
}

/**
 * Maps the failure of a dependency of authentication to AUTH_NOT_READY_YET, or to SERVICE_UNAVAILABLE if the data can be read but
 * not written. The original error becomes the cause.
 */
export async function asNotReady<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isDomainError(error) && error.readOnly)
      throw new DomainError('SERVICE_UNAVAILABLE', `${error.message} Try again later.`, { cause: error });
    if (isDomainError(error, 'STORE_UNAVAILABLE', 'SIGNING_KEY_UNAVAILABLE')) throw notReady(error);
    throw error;
  }
}
