import { expect } from 'chai';
import { DomainError, type DomainErrorCode } from '#domain/domain-error.js';

/** The reason with which a promise rejects. @throws if it resolves */
export async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('it was fulfilled');
}

/** The DomainError with which a promise rejects. It must have this code. */
export async function domainErrorOf(promise: Promise<unknown>, code: DomainErrorCode): Promise<DomainError> {
  const error = await rejectionOf(promise);
  expect(error).to.be.instanceOf(DomainError).with.property('code', code);
  return error as DomainError;
}
