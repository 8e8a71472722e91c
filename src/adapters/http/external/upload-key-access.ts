import type { AuthorizeUploadKey } from '#application/uploads/keys/authorize-upload-key.js';
import { readSecret } from '#domain/secret-text.js';
import type { UploadKeyAccess } from '../core/api-definition.js';
import { minuteCounter } from './request-limit.js';

/**
 * Largest number of requests of one upload key in a minute. A console sends fewer requests. A script needs fewer requests too,
 * because one request can contain many rows.
 */
const LIMIT = 60;

/** Accepts upload keys as bearer tokens. Each instance counts the requests of a key separately. */
export function uploadKeyAccess(authorizeUploadKey: AuthorizeUploadKey): UploadKeyAccess {
  const count = minuteCounter(LIMIT);
  return {
    isKey: (token) => readSecret(token) !== undefined,
    authorize: async (token, station) => {
      const { number, actor } = await authorizeUploadKey.execute(token, station);
      count(String(number), performance.now());
      return { actor };
    },
  };
}
