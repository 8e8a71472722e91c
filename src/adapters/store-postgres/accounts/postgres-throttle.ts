import { createHash } from 'node:crypto';
import type { Throttle } from '../../../application/ports/throttle.js';
import {
  type AttemptCounter,
  type AttemptLimit,
  type AttemptTally,
  tallyLimits,
  waitBeforeAttempt,
} from '../../../domain/accounts/attempts.js';
import { SCHEMA } from '../database/migrations.js';
import type { PostgresDatabase } from '../database/postgres-database.js';
import type { Query } from '../database/query.js';

interface StoredTally extends AttemptTally {
  readonly key: string;
}

/** Counts of attempts in PostgreSQL. */
export class PostgresThrottle implements Throttle {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  /**
   * Looks first, without a lock, so that an attempt beyond a limit costs one statement and writes nothing. Whoever passes that
   * look counts, and the counts decide: where others have counted in between, the attempt is taken back.
   */
  async count(counters: readonly AttemptCounter[]): Promise<number> {
    const now = Date.now();
    const limits = limitsOf(counters);
    const keys = [...limits.keys()];
    const { rows: known } = await this.#database.query<StoredTally>(
      `SELECT key, points, expire FROM ${SCHEMA}.throttle WHERE key = ANY($1)`,
      [keys],
    );
    const before = longestWait(known, limits, now);
    if (before > 0) return before;
    const expires = keys.map((key) => now + (limits.get(key)?.seconds ?? 0) * 1000);
    return await this.#database.transaction(async (query) => {
      // Every statement locks the rows in the order of their keys, so that two instances never wait for each other.
      const { rows } = await query<StoredTally>(
        `INSERT INTO ${SCHEMA}.throttle AS tally (key, points, expire)
         SELECT key, 1, expire FROM unnest($1::text[], $2::bigint[]) AS sent (key, expire) ORDER BY key
         ON CONFLICT (key) DO UPDATE SET
           points = CASE WHEN tally.expire <= $3 THEN 1 ELSE tally.points + 1 END,
           expire = CASE WHEN tally.expire <= $3 THEN excluded.expire ELSE tally.expire END
         RETURNING key, points, expire`,
        [keys, expires.map(String), now],
      );
      const others = rows.map((tally) => ({ ...tally, points: tally.points - 1 }));
      const wait = longestWait(others, limits, now);
      if (wait > 0) await takeBack(query, keys);
      return wait;
    });
  }

  async forget(counters: readonly AttemptCounter[]): Promise<void> {
    await this.#database.transaction((query) => takeBack(query, [...limitsOf(counters).keys()]));
  }

  async clear(cleared: readonly AttemptCounter[], forgotten: readonly AttemptCounter[]): Promise<void> {
    await this.#database.transaction(async (query) => {
      await takeBack(query, [...limitsOf([...cleared, ...forgotten]).keys()]);
      await query(`DELETE FROM ${SCHEMA}.throttle WHERE key = ANY($1)`, [[...limitsOf(cleared).keys()]]);
    });
  }

  async purge(): Promise<void> {
    await this.#database.query(`DELETE FROM ${SCHEMA}.throttle WHERE expire < $1`, [Date.now()]);
  }
}

function longestWait(
  tallies: readonly StoredTally[],
  limits: ReadonlyMap<string, AttemptLimit>,
  now: number,
): number {
  const waits = tallies.map(({ key, ...tally }) => {
    const limit = limits.get(key);
    return limit === undefined ? 0 : waitBeforeAttempt(tally, limit, now);
  });
  return Math.max(0, ...waits);
}

/** Locks the rows in the order of their keys, as `count` does, before it changes them. */
async function takeBack(query: Query, keys: string[]): Promise<void> {
  await query(
    `WITH locked AS (SELECT key FROM ${SCHEMA}.throttle WHERE key = ANY($1) ORDER BY key FOR UPDATE)
     UPDATE ${SCHEMA}.throttle SET points = greatest(points - 1, 0) WHERE key IN (SELECT key FROM locked)`,
    [keys],
  );
}

function limitsOf(counters: readonly AttemptCounter[]) {
  return tallyLimits(counters, (key) => createHash('sha256').update(key).digest('base64url'));
}
