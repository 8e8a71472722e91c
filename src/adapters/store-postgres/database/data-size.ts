import type { Query } from './query.js';

/** Size of the tables and indexes on this server in bytes. The tables on the workers of a distributed database are not included. */
export async function dataSize(query: Query): Promise<number> {
  const { rows } = await query<{ bytes: number }>(
    `SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::float8 AS bytes FROM pg_class
     WHERE relnamespace = 'weatherd'::regnamespace AND relkind = 'r'`,
  );
  return rows[0]?.bytes ?? 0;
}
