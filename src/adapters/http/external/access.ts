import { BASIC_TOKEN_LEVEL, ELEVATED_TOKEN_LEVEL } from '#domain/accounts/access-token.js';
import type { TokenAccess } from '../core/endpoint.js';

/** Every signed-in user. */
export const SIGNED_IN: TokenAccess = { level: BASIC_TOKEN_LEVEL, role: 'reader' };

/** Writers of the station in the path, with an elevated token. */
export const ELEVATED_WRITER: TokenAccess = { level: ELEVATED_TOKEN_LEVEL, role: 'writer' };

/** Writers of the station in the path with an elevated token, and upload keys of this station. */
export const ELEVATED_WRITER_OR_UPLOAD_KEY: TokenAccess = { ...ELEVATED_WRITER, uploadKey: true };

/** Who may read weather data: every caller, where signed-in users see hidden stations too; or only signed-in users. */
export type ReadAccess = 'optional-token' | typeof SIGNED_IN;

/** Administrators, with an elevated token. */
export const ELEVATED_ADMINISTRATOR: TokenAccess = { level: ELEVATED_TOKEN_LEVEL, role: 'administrator' };
