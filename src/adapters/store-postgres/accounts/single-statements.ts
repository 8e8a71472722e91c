import { insertEvents, setCounts } from '#adapters/store/accounts/audit.js';
import {
  countElevation,
  joinedSession,
  removeSession,
  setElevation,
} from '#adapters/store/accounts/session-operations.js';
import {
  findUserForSignIn,
  insertSession,
  signInLimitsOf,
  lowerCounts,
} from '#adapters/store/accounts/sign-ins.js';
import { rowFrom } from '#adapters/store/run-operation.js';
import { type Fragment, integer, rowsOf, sql } from '#adapters/store/sql.js';
import { type OperationsOf, write } from '#adapters/store/store-operations.js';
import type { STORES } from '#adapters/store/shared-stores.js';
import type { BegunElevation } from '#application/ports/session-store.js';
import type { BegunSignIn } from '#application/ports/sign-in-store.js';
import type { Stores } from '#application/ports/stores.js';
import { secondsUntil } from '#domain/accounts/attempts.js';
import { isNotNullViolation } from '../database/database-faults.js';

const LIMITS = rowsOf({ key: 'text', attempts: 'integer', expire: 'bigint' });
const BEGUN: Fragment = { sqlite: '', postgres: 'EXISTS (SELECT 1 FROM begun)' };

interface BegunRow {
  /** Time until which sign-in is refused, in milliseconds since 1970; null if the attempt was counted. */
  readonly until: number | null;
  /** Id of the user; null if there is no such user. */
  readonly id: string | null;
}

/**
 * Operations that send one statement instead of a transaction with several statements. The statement writes several tables in one
 * round trip to the server. A transaction needs a round trip for each statement, one to begin and one to commit. This matters
 * when many users sign in, or elevate their sessions with a password, at the same time.
 *
 * SQLite runs the transactions instead, because it needs no round trips.
 */
export const SINGLE_STATEMENTS: {
  readonly [K in keyof typeof STORES]?: Partial<OperationsOf<Stores[K]>>;
} = {
  audit: {
    append: write(function* (event, counts = new Map()) {
      const row = yield* rowFrom<{ number: number }>(
        sql`WITH counted AS (${setCounts(counts)}) ${insertEvents([event])} RETURNING number`,
      );
      return row?.number ?? 0;
    }),
  },

  sessions: {
    beginElevation: write(function* (id, limit) {
      return yield* rowFrom<BegunElevation>(
        sql`WITH counted AS (${countElevation(id)} AND elevation_attempts < ${limit} RETURNING elevation_attempts)
            SELECT coalesce((SELECT elevation_attempts FROM counted), ${integer(limit)} + 1) AS attempts,
              password_hash AS "passwordHash" ${joinedSession(id)}`,
      );
    }),

    elevate: write(function* (id, elevation, event) {
      const row = yield* rowFrom<{ isElevated: boolean }>(
        sql`WITH elevated AS (${setElevation(id, elevation)} RETURNING id),
              appended AS (${insertEvents([event])} WHERE EXISTS (SELECT 1 FROM elevated))
            SELECT EXISTS (SELECT 1 FROM elevated) AS "isElevated"`,
      );
      return row?.isElevated === true;
    }),

    end: write(function* (id, events = []) {
      const row = yield* rowFrom<{ hasEnded: boolean }>(
        sql`WITH ended AS (${removeSession(id)} RETURNING id), appended AS (${insertEvents(events)})
            SELECT EXISTS (SELECT 1 FROM ended) AS "hasEnded"`,
      );
      return row?.hasEnded === true;
    }),
  },

  signIns: {
    /**
     * Counts an attempt to sign in as `countAttempt` of the domain does, but in one statement:
     *
     * 1. The part `reached` of the statement finds the limits that are already reached. If there is one, the attempt is not
     *    counted.
     * 2. The part `counted` raises the counts.
     *
     * Between these steps, another instance may raise a count up to its limit. The attempt must then not be counted either. This
     * works as follows: the expression CASE returns NULL for the new count, and the column does not allow NULL. So the whole
     * statement fails, nothing is counted, and the statement is run again.
     */
    begin: write(function* (keys, counters, now) {
      const limits = [...signInLimitsOf(counters)].map(([key, { attempts, seconds }]) => {
        return { key, attempts, expire: now + seconds * 1000 };
      });
      const counted = sql`WITH sent AS (SELECT * FROM ${LIMITS(limits)}), reached AS (
          SELECT max(tally.expire) AS until FROM sent JOIN weatherd.throttle AS tally USING (key)
          WHERE tally.points >= attempts AND tally.expire > ${now}
        ), counted AS (
          INSERT INTO weatherd.throttle AS tally (key, points, expire)
          SELECT key, 1, expire FROM sent WHERE (SELECT until FROM reached) IS NULL ORDER BY key
          ON CONFLICT (key) DO UPDATE SET
            points = CASE WHEN tally.expire <= ${now} THEN 1
              WHEN tally.points < (SELECT attempts FROM sent WHERE sent.key = tally.key) THEN tally.points + 1 END,
            expire = CASE WHEN tally.expire <= ${now} THEN excluded.expire ELSE tally.expire END
        )
        SELECT until, found.* FROM reached LEFT JOIN (${findUserForSignIn(keys)}) AS found ON true`;
      for (;;) {
        try {
          const row = yield* rowFrom<BegunRow>(counted);
          const { until = null, ...user } = row ?? { id: null };
          const found = user.id === null ? undefined : (user as BegunSignIn['user']);
          return { user: found, wait: secondsUntil(until ?? now, now) };
        } catch (error) {
          // The new count was NULL, because another instance has reached a limit while this statement ran. The loop runs the
          // statement again, which then reads the new counts.
          if (!isNotNullViolation(error)) throw error;
        }
      }
    }),

    finish: write(function* (success, events) {
      const { uncounted, cleared } = success;
      const row = yield* rowFrom<{ begins: boolean }>(
        sql`WITH begun AS (${insertSession(success)} RETURNING id),
              lowered AS (${lowerCounts(uncounted, cleared, BEGUN)}),
              appended AS (${insertEvents(events)} WHERE (outcome = 'done') = ${BEGUN})
            SELECT ${BEGUN} AS begins`,
      );
      return row?.begins === true;
    }),
  },
};
