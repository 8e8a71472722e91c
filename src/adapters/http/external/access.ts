import { BASIC_TOKEN_LEVEL, ELEVATED_TOKEN_LEVEL } from '#domain/accounts/access-token.js';
import type { TokenAccess } from '../core/endpoint.js';

/** A token of any signed-in user. */
export const SIGNED_IN: TokenAccess = { level: BASIC_TOKEN_LEVEL, role: 'reader' };

/** Writers of the station in the path, with an elevated token. */
export const ELEVATED_WRITER: TokenAccess = { level: ELEVATED_TOKEN_LEVEL, role: 'writer' };

/** Writers of the station in the path with an elevated token, and upload keys of this station. */
export const ELEVATED_WRITER_OR_UPLOAD_KEY: TokenAccess = { ...ELEVATED_WRITER, uploadKey: true };

/** The access to weather data: every caller (signed-in users also see hidden stations), or only signed-in users. */
export type ReadAccess = 'optional-token' | typeof SIGNED_IN;

/** Administrators, with an elevated token. */
export const ELEVATED_ADMINISTRATOR: TokenAccess = { level: ELEVATED_TOKEN_LEVEL, role: 'administrator' };
