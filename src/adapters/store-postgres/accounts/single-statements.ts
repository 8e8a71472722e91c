import { insertEvents, setCounts } from '#adapters/store/accounts/audit.js';
import {
  countElevation,
  joinedSession,
  removeSession,
  setElevation,
} from '#adapters/store/accounts/sessions.js';
import { rowFrom } from '#adapters/store/operation.js';
import { integer, sql } from '#adapters/store/sql.js';
import { type OperationsOf, write } from '#adapters/store/store-operations.js';
import type { AuditStore } from '#application/ports/audit-store.js';
import type { BegunElevation, SessionStore } from '#application/ports/session-store.js';

/*
 * Operations on accounts in one statement, that writes several tables: one trip to the server in place of one for each statement and
 * two for the transaction. SQLite has no such statements, and no trips.
 */

export const SINGLE_AUDIT: Partial<OperationsOf<AuditStore>> = {
  append: write(function* (event, counts = new Map()) {
    const row = yield* rowFrom<{ number: number }>(
      sql`WITH counted AS (${setCounts(counts)}) ${insertEvents([event])} RETURNING number`,
    );
    return row?.number ?? 0;
  }),
};

export const SINGLE_SESSIONS: Partial<OperationsOf<SessionStore>> = {
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
};
