import { expect } from 'chai';
import { DomainError, type DomainErrorCode } from '#domain/domain-error.js';

/** The error with which a promise rejects. @throws Error if the promise resolves */
export async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('The promise was expected to reject, but it resolved.');
}

/** The DomainError with which a promise rejects. Its code must be `code`. */
export async function domainErrorOf(promise: Promise<unknown>, code: DomainErrorCode): Promise<DomainError> {
  const error = await rejectionOf(promise);
  expect(error).to.be.instanceOf(DomainError).with.property('code', code);
  return error as DomainError;
}
