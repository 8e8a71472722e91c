import { z } from 'zod';
import { PASSWORD_BYTES, utf8Length } from '#domain/accounts/password.js';

/** Text of valid Unicode, without lone surrogates. */
export const unicodeText = () => z.string().refine((value) => value.isWellFormed(), 'Must be valid Unicode');

export const passwordText = () =>
  unicodeText()
    .min(1)
    .refine(
      (value) => utf8Length(value) <= PASSWORD_BYTES.max,
      `Must have at most ${PASSWORD_BYTES.max} bytes`,
    )
    .describe('The exact password; white space at its ends is not removed');
