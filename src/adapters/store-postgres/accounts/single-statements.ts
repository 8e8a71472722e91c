import { insertEvents, setCounts } from '#adapters/store/accounts/audit.js';
import { rowFrom } from '#adapters/store/operation.js';
import { sql } from '#adapters/store/sql.js';
import { type OperationsOf, write } from '#adapters/store/store-operations.js';
import type { AuditStore } from '#application/ports/audit-store.js';

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
