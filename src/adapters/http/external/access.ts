import { BASIC_TOKEN_LEVEL, ELEVATED_TOKEN_LEVEL } from '#domain/accounts/access-token.js';
import type { TokenAccess } from '../core/endpoint.js';

/** A token of any signed-in user. */
export const SIGNED_IN: TokenAccess = { level: BASIC_TOKEN_LEVEL, role: 'reader' };

/** For routes that need an elevated token of any user. */
export const ELEVATED: TokenAccess = { level: ELEVATED_TOKEN_LEVEL, role: 'reader' };

/**
 * For routes that need an elevated token of a user who may write the station in the path. A user gets an elevated token by
 * entering the password again. The token is valid for a few minutes.
 */
export const ELEVATED_WRITER: TokenAccess = { level: ELEVATED_TOKEN_LEVEL, role: 'writer' };

/** For routes that need the same token as `ELEVATED_WRITER`, or an upload key of the station in the path. */
export const ELEVATED_WRITER_OR_UPLOAD_KEY: TokenAccess = { ...ELEVATED_WRITER, uploadKey: true };

/**
 * The access to weather data. `optional-token`: every caller may read, and signed-in users also see hidden stations. `SIGNED_IN`:
 * only signed-in users may read.
 */
export type ReadAccess = 'optional-token' | typeof SIGNED_IN;

/** For routes that need an elevated token of an administrator. A user gets an elevated token by entering the password again. */
export const ELEVATED_ADMINISTRATOR: TokenAccess = { level: ELEVATED_TOKEN_LEVEL, role: 'administrator' };

/** For routes that need a token of an administrator, without the password. */
export const ADMINISTRATOR: TokenAccess = { level: BASIC_TOKEN_LEVEL, role: 'administrator' };
