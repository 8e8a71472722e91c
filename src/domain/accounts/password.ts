import { DomainError } from '../domain-error.js';

/** Bounds of the length of a password in bytes of UTF-8. The upper bound limits the work of hashing. */
export const PASSWORD_BYTES = { min: 8, max: 1024 } as const;

/** Length of `text` in bytes of UTF-8. */
export function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}

/**
 * Returns the form of a password that is hashed: Unicode NFC (RFC 8265, OpaqueString). Without NFC, the same keys may give
 * different texts on two operating systems. The text is not trimmed, not converted to lower case and not cut.
 */
export function preparePassword(password: string): string {
  return password.normalize('NFC');
}

/**
 * Checks and prepares a new password.
 *
 * @throws DomainError REQUEST_INVALID if the password is too short, too long or not valid Unicode
 */
export function acceptNewPassword(password: string): string {
  if (!password.isWellFormed())
    throw new DomainError('REQUEST_INVALID', 'The password is not valid Unicode.');
  const prepared = preparePassword(password);
  const bytes = utf8Length(prepared);
  if (bytes < PASSWORD_BYTES.min || bytes > PASSWORD_BYTES.max) {
    throw new DomainError(
      'REQUEST_INVALID',
      `A password has ${PASSWORD_BYTES.min} to ${PASSWORD_BYTES.max} bytes in UTF-8; this one has ${bytes}.`,
    );
  }
  return prepared;
}
