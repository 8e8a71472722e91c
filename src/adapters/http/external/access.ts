import { BASIC_TOKEN_LEVEL, ELEVATED_TOKEN_LEVEL } from '../../../domain/accounts/access-token.js';
import type { TokenAccess } from '../core/endpoint.js';

/** Every user who is signed in. */
export const SIGNED_IN: TokenAccess = { level: BASIC_TOKEN_LEVEL, role: 'reader' };

/** Writers of the station in the path who have just given their password again. */
export const ELEVATED_WRITER: TokenAccess = { level: ELEVATED_TOKEN_LEVEL, role: 'writer' };

/** Who may read weather data: every caller, or users who are signed in. */
export type ReadAccess = 'public' | typeof SIGNED_IN;

/** Administrators who have just given their password again. */
export const ELEVATED_ADMINISTRATOR: TokenAccess = { level: ELEVATED_TOKEN_LEVEL, role: 'administrator' };
