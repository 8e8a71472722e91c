import { isStorable } from '#adapters/store/columns.js';
import { createHash } from 'node:crypto';
import type {
  BegunSignIn,
  PresentedKeys,
  SignInStore,
  SignInSuccess,
} from '#application/ports/sign-in-store.js';
import { type AttemptCounter, secondsUntil, tallyLimits } from '#domain/accounts/attempts.js';
import type { AuditEvent } from '#domain/accounts/audit-event.js';
import { isNotNullViolation } from '../database/faults.js';
import type { PostgresDatabase } from '../database/postgres-database.js';
import { APPEND_EVENTS, eventColumns } from './audit-rows.js';

/**
 * `countAttempt` of the domain as one statement. Where another instance counts up to a limit between the look at `reached`
 * and the count, the count is NULL, which the column refuses: then nothing is counted.
 *
 * All statements write counts in the order of their keys, so that two instances never wait for each other in a circle.
 */
const BEGIN = `WITH sent AS (
    SELECT * FROM unnest($1::text[], $2::integer[], $3::bigint[]) AS sent (key, attempts, expire)
  ), reached AS (
    SELECT max(tally.expire) AS until FROM sent JOIN weatherd.throttle AS tally USING (key)
    WHERE tally.points >= attempts AND tally.expire > $4::bigint
  ), counted AS (
    INSERT INTO weatherd.throttle AS tally (key, points, expire)
    SELECT key, 1, expire FROM sent WHERE (SELECT until FROM reached) IS NULL ORDER BY key
    ON CONFLICT (key) DO UPDATE SET
      points = CASE WHEN tally.expire <= $4 THEN 1
        WHEN tally.points < (SELECT attempts FROM sent WHERE sent.key = tally.key) THEN tally.points + 1 END,
      expire = CASE WHEN tally.expire <= $4 THEN excluded.expire ELSE tally.expire END
  )
  SELECT until, CASE WHEN u.id IS NOT NULL THEN jsonb_build_object(
    'id', u.id, 'name', u.name, 'passwordHash', u.password_hash, 'enabled', u.enabled) END AS user
  FROM reached LEFT JOIN weatherd.user u ON coalesce($5::text, $6::text) IS NOT NULL
    AND ($5 IS NULL OR u.name_key = $5) AND ($6 IS NULL OR u.email_key = $6)`;

/**
 * FOR SHARE: a concurrent change of the user commits before or after this statement, never in between. $16 are the keys of
 * all counts that change, $17 of those that are cleared.
 */
const FINISH = `WITH begun AS (
    INSERT INTO weatherd.session (id, user_id, created_at, valid_to, address)
    SELECT $10, id, $11, $12, $13 FROM weatherd.user
    WHERE id = $14 AND enabled AND password_hash = $15 FOR SHARE
    RETURNING id
  ), lowered AS (${lower('$16', '$17', 'EXISTS (SELECT FROM begun)')}
  ), appended AS (${APPEND_EVENTS} WHERE (outcome = 'done') = EXISTS (SELECT FROM begun))
  SELECT EXISTS (SELECT FROM begun) AS begun`;

interface BegunRow {
  /** Milliseconds; null where the attempt has been counted. */
  readonly until: number | null;
  readonly user: NonNullable<BegunSignIn['user']> | null;
}

/** Attempts to sign in, in PostgreSQL. */
export class PostgresSignInStore implements SignInStore {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async begin(
    { nameKey, emailKey }: PresentedKeys,
    counters: readonly AttemptCounter[],
    now: number,
  ): Promise<BegunSignIn> {
    const limits = [...limitsOf(counters)];
    const parameters = [
      limits.map(([key]) => key),
      limits.map(([, { attempts }]) => attempts),
      limits.map(([, { seconds }]) => now + seconds * 1000),
      now,
      storable(nameKey),
      storable(emailKey),
    ];
    const row = await this.#database.withConnection(async (query) => {
      for (;;) {
        try {
          return (await query<BegunRow>(BEGIN, parameters)).rows[0];
        } catch (error) {
          // Another instance has reached a limit: the next look finds it.
          if (!isNotNullViolation(error)) throw error;
        }
      }
    });
    return { user: row?.user ?? undefined, wait: secondsUntil(row?.until ?? now, now) };
  }

  async finish(success: SignInSuccess, events: readonly AuditEvent[]): Promise<boolean> {
    const { session, passwordHash, cleared, takenBack } = success;
    const { id, userId, createdAt, validTo, address } = session;
    const { rows } = await this.#database.query<{ begun: boolean }>(FINISH, [
      ...eventColumns(events),
      id,
      createdAt,
      validTo,
      address,
      userId,
      passwordHash,
      keysOf([...cleared, ...takenBack]),
      keysOf(cleared),
    ]);
    return rows[0]?.begun === true;
  }

  async takeBack(counters: readonly AttemptCounter[]): Promise<void> {
    await this.#database.query(lower('$1', '$2', 'true'), [keysOf(counters), []]);
  }

  async purge(now: number): Promise<void> {
    await this.#database.query('DELETE FROM weatherd.throttle WHERE expire < $1', [now]);
  }
}

/**
 * Takes one attempt back from the counts with these keys, and all of them from those that are cleared. What was not there is
 * there as a count that has expired.
 */
function lower(keys: string, cleared: string, condition: string): string {
  return `INSERT INTO weatherd.throttle AS tally (key, points, expire)
    SELECT key, 0, 0 FROM unnest(${keys}::text[]) AS sent (key) WHERE ${condition} ORDER BY key
    ON CONFLICT (key) DO UPDATE SET
      points = greatest(tally.points - 1, 0),
      expire = CASE WHEN tally.key = ANY(${cleared}::text[]) THEN 0 ELSE tally.expire END`;
}

/** A name with a character that PostgreSQL cannot hold is nobody's, as is the empty one. */
const storable = (key: string | null) => (key === null || isStorable(key) ? key : '');

const keysOf = (counters: readonly AttemptCounter[]) => [...limitsOf(counters).keys()];

function limitsOf(counters: readonly AttemptCounter[]) {
  return tallyLimits(counters, (key) => createHash('sha256').update(key).digest('base64url'));
}
