import type { ErrorCode } from './errors.js';

/**
 * The exceptions of an endpoint from the general error body, which has `success: false` and the HTTP status as `code`. For each
 * error code with an exception, the object has the values of `success` and `code` that the endpoint documents.
 */
export type DocumentedErrors = Readonly<
  Partial<Record<ErrorCode, { readonly success: boolean; readonly code: number }>>
>;

/**
 * The two error bodies that version 1 of the interface documents for the authentication route, exactly as in the samples of the
 * documentation. Both bodies have `success: true`, and the body with status 500 has `code: 403`.
 *
 * The bodies look wrong, but clients depend on them. This route therefore keeps them until version 2. All other error bodies
 * follow the rule in `reply.ts`.
 */
export const DOCUMENTED_AUTH_ERRORS = {
  AUTH_INVALID_CREDENTIALS: { success: true, code: 403 },
  AUTH_NOT_READY_YET: { success: true, code: 403 },
} as const satisfies DocumentedErrors;
