import { createHash } from 'node:crypto';
import { MILLISECONDS } from '#domain/time.js';
import type { Query } from '../database/query.js';
import { BLOB_FUNCTIONS } from './blob-functions.js';
import { ROW_FUNCTIONS } from './row-functions.js';
import { VALUE_FUNCTIONS } from './value-functions.js';

const DEFINITIONS = `${BLOB_FUNCTIONS}${VALUE_FUNCTIONS}${ROW_FUNCTIONS}`;
const NOTE = `Definition ${createHash('sha256').update(DEFINITIONS).digest('hex').slice(0, 16)}`;

/**
 * Defines the view `observation_rows` and its functions, for people with psql. Defines them again if their definition differs from
 * the definition of this program. They contain no data, so they need no migration. Privileges that were granted on them are kept.
 */
export async function definePlainRows(query: Query): Promise<void> {
  const { rows } = await query<{ note: string | null }>(
    `SELECT obj_description(to_regclass('weatherd.observation_rows'), 'pg_class') AS note`,
  );
  if (rows[0]?.note === NOTE) return;
  await query(DEFINITIONS, [], MILLISECONDS.minute);
  await query(`COMMENT ON VIEW weatherd.observation_rows IS '${NOTE}'`);
}
