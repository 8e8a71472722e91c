import { createHash } from 'node:crypto';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { AttemptLimit, Throttle } from '../../application/ports/throttle.js';
import { SCHEMA } from './migrations.js';
import type { Parameter, PostgresDatabase } from './postgres-database.js';

/** Counts of attempts in PostgreSQL. */
export class PostgresThrottle implements Throttle {
  readonly #database: PostgresDatabase;
  readonly #limiters = new Map<string, RateLimiterPostgres>();

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async count(key: string, limit: AttemptLimit): Promise<number> {
    try {
      await this.#limiterOf(limit).consume(digest(key));
      return 0;
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
    }
  }

  async forget(key: string, limit: AttemptLimit): Promise<void> {
    await this.#limiterOf(limit).reward(digest(key));
  }

  async clear(key: string, limit: AttemptLimit): Promise<void> {
    await this.#limiterOf(limit).delete(digest(key));
  }

  async purge(): Promise<void> {
    await this.#database.query(`DELETE FROM ${SCHEMA}.throttle WHERE expire < $1`, [Date.now()]);
  }

  #limiterOf({ attempts, seconds }: AttemptLimit): RateLimiterPostgres {
    const keyPrefix = `${attempts}/${seconds}`;
    const known = this.#limiters.get(keyPrefix);
    if (known !== undefined) return known;
    const query = ({ text, values }: { text: string; values: Parameter[] }) =>
      this.#database.query(text, values);
    const made = new RateLimiterPostgres({
      storeClient: { query },
      storeType: 'client',
      schemaName: SCHEMA,
      tableName: 'throttle',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix,
      points: attempts,
      duration: seconds,
    });
    this.#limiters.set(keyPrefix, made);
    return made;
  }
}

function digest(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}
