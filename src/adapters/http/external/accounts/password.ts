import { z } from 'zod';
import { PASSWORD_BYTES, utf8Length } from '#domain/accounts/password.js';

/** Text that is valid Unicode: no lone surrogates. */
export const unicodeText = () => z.string().refine((value) => value.isWellFormed(), 'Not valid Unicode');

export const passwordText = () =>
  unicodeText()
    .min(1)
    .refine((value) => utf8Length(value) <= PASSWORD_BYTES.max, `Longer than ${PASSWORD_BYTES.max} bytes`)
    .describe('Used as it is: nothing is trimmed');
