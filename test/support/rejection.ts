import { expect } from 'chai';
import { DomainError, type DomainErrorCode } from '../../src/domain/domain-error.js';

/** What a promise is rejected with. @throws when it is fulfilled */
export async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('it was fulfilled');
}

/** The DomainError with `code` that a promise is rejected with. */
export async function domainErrorOf(promise: Promise<unknown>, code: DomainErrorCode): Promise<DomainError> {
  const error = await rejectionOf(promise);
  expect(error).to.be.instanceOf(DomainError).with.property('code', code);
  return error as DomainError;
}
