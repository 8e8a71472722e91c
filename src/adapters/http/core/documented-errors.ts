import type { ErrorCode } from './errors.js';

/** For each error code, the fields of an endpoint's error body that are documented differently from the general rule. */
export type DocumentedErrors = Readonly<
  Partial<Record<ErrorCode, { readonly success: boolean; readonly code: number }>>
>;

/**
 * The two error bodies that version 1 of the interface documents for the authentication route, to the letter of
 * its samples: both say `success: true`, and the one that comes with status 500 carries `code: 403`. Both look
 * wrong and clients are written against them, so they stay as they are until version 2, on that route alone. Every
 * other error body tells the truth and is made in `reply.ts`.
 */
export const DOCUMENTED_AUTH_ERRORS = {
  AUTH_INVALID_CREDENTIALS: { success: true, code: 403 },
  AUTH_NOT_READY_YET: { success: true, code: 403 },
} as const satisfies DocumentedErrors;
