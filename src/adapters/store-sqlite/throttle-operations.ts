import { createHash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { RateLimiterRes, RateLimiterSQLite } from 'rate-limiter-flexible';
import type { AttemptLimit } from '../../application/ports/throttle.js';

/** The counting behind SqliteThrottle; it runs in the worker thread. */
export function throttleOperations(database: Database) {
  const limiters = new Map<string, RateLimiterSQLite>();
  const limiterOf = ({ attempts, seconds }: AttemptLimit): RateLimiterSQLite => {
    const keyPrefix = `${attempts}/${seconds}`;
    const known = limiters.get(keyPrefix);
    if (known !== undefined) return known;
    const made = new RateLimiterSQLite({
      storeClient: database,
      storeType: 'better-sqlite3',
      tableName: 'throttle',
      tableCreated: true,
      keyPrefix,
      points: attempts,
      duration: seconds,
    });
    limiters.set(keyPrefix, made);
    return made;
  };
  const purge = database.prepare('DELETE FROM throttle WHERE expire < ?');

  return {
    countAttempt: async (key: string, limit: AttemptLimit): Promise<number> => {
      try {
        await limiterOf(limit).consume(digest(key));
        return 0;
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
      }
    },
    forgetAttempt: async (key: string, limit: AttemptLimit): Promise<void> => {
      await limiterOf(limit).reward(digest(key));
    },
    clearAttempts: async (key: string, limit: AttemptLimit): Promise<void> => {
      await limiterOf(limit).delete(digest(key));
    },
    purgeAttempts: (now: number) => void purge.run(now),
  };
}

function digest(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}
