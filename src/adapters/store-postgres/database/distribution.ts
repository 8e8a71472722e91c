import { MIGRATION_TIMEOUT, SCHEMA } from './migrations.js';
import type { Query } from './query.js';

/**
 * The extension Citus can distribute the tables of observations over several servers, the workers. A block is a group of 64
 * stations, and all rows of a block are on one worker. All other tables and the advisory locks stay on the coordinator, the
 * server of the URL. Consequences:
 *
 * - A reading transaction reads one block, because there is no snapshot of several workers.
 * - A writing transaction may write several blocks: Citus then commits the transaction in two phases.
 * - A statement that looks up a list of stations or days is sent for each block; see `byStatement`.
 */

/**
 * The distributed tables. Each of them has a column `block`, the number of a group of 64 stations. All rows of a block, in all
 * these tables, are on the same worker.
 */
const TABLES = ['block', 'run', 'chunk', 'newest', 'damaged', 'day_table'];
/** An empty table on the coordinator that is registered in Citus; see `commitTogether`. */
const MARK = `${SCHEMA}.commit_mark`;

/**
 * Distributes the tables of observations, within the transaction of `query`, which has migrated the schema. A distributed database
 * stays distributed even if `isWanted` is false.
 *
 * @param isWanted whether to distribute tables that are not distributed yet
 * @returns whether the tables are distributed
 * @throws Error if the tables cannot be distributed; the message says what to do
 */
export async function distribute(query: Query, isWanted: boolean): Promise<boolean> {
  const { rows } = await query("SELECT FROM pg_extension WHERE extname = 'citus'");
  if (rows.length === 0) {
    if (!isWanted) return false;
    throw new Error(
      'WEATHERD_DATABASE_DISTRIBUTED is true, but the database does not have the extension citus: run CREATE EXTENSION ' +
        'citus in it and add the workers, or unset the setting',
    );
  }
  const distributed = await distributedTables(query);
  const left = TABLES.filter((table) => !distributed.has(table));
  if (left.length === TABLES.length && !isWanted) return false;
  if (left.length > 0) await assertWorkers(query);
  for (const table of left) {
    const beside = table === TABLES[0] ? 'none' : `${SCHEMA}.${TABLES[0]}`;
    await query(
      `SELECT create_distributed_table('${SCHEMA}.${table}', 'block', colocate_with => '${beside}')`,
      [],
      MIGRATION_TIMEOUT,
    );
    // The rows were copied to the workers. The statement removes the copies that are left on the coordinator.
    await query(
      `SELECT truncate_local_data_after_distributing_table('${SCHEMA}.${table}')`,
      [],
      MIGRATION_TIMEOUT,
    );
  }
  if (!distributed.has('commit_mark')) {
    await query(`CREATE TABLE ${MARK} (id integer)`);
    await query(`SELECT citus_add_local_table_to_metadata('${MARK}')`);
  }
  return true;
}

/** The names of the tables of weatherd that Citus knows. */
async function distributedTables(query: Query): Promise<ReadonlySet<string>> {
  const { rows } = await query<{ name: string }>(
    `SELECT relname AS name FROM pg_dist_partition JOIN pg_class ON pg_class.oid = logicalrelid
     WHERE relnamespace = '${SCHEMA}'::regnamespace`,
  );
  return new Set(rows.map(({ name }) => name));
}

async function assertWorkers(query: Query): Promise<void> {
  const { rows } = await query<{ hasCoordinator: boolean; workers: number }>(
    `SELECT coalesce(bool_or(groupid = 0), false) AS "hasCoordinator",
       count(*) FILTER (WHERE shouldhaveshards AND isactive) AS workers FROM pg_dist_node`,
  );
  const { hasCoordinator = false, workers = 0 } = rows[0] ?? {};
  if (!hasCoordinator)
    throw new Error(
      'WEATHERD_DATABASE_DISTRIBUTED is true, but the database does not know its own address: run ' +
        "SELECT citus_set_coordinator_host('HOST', PORT) in it",
    );
  if (workers === 0)
    throw new Error(
      "WEATHERD_DATABASE_DISTRIBUTED is true, but the database has no workers: run SELECT citus_add_node('HOST', PORT) in " +
        'the database for each worker',
    );
}

/**
 * Makes Citus commit the transaction of the caller in two phases. This is needed if the transaction changes observations, which
 * are on a worker, and also tables of the coordinator. Without two phases there are two separate commits, and a crash of the
 * coordinator between them would keep only one part of the changes.
 *
 * Citus uses two phases only if it notices a change of a coordinator's table. It notices this only for `commit_mark`, which is
 * registered in Citus. The statement therefore deletes from `commit_mark`, which is always empty.
 */
export async function commitTogether(query: Query): Promise<void> {
  if (query.isDistributed) await query(`DELETE FROM ${MARK} WHERE id = 0`);
}
