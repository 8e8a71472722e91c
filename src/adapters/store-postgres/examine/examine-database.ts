import { MILLISECONDS } from '#domain/time.js';
import { SCHEMA, SCHEMA_VERSION } from '../database/migrations.js';
import { PostgresDatabase } from '../database/postgres-database.js';

/** The version of the server, the schema version and the newest day of a database. */
export interface ExaminedDatabase {
  /** The version of the server, for example `15.14 (Debian 15.14-0+deb12u1)`. */
  readonly server: string;
  /**
   * The schema version of the database; 0 if the database has no tables of this program. `known` is the schema version that this
   * program writes.
   */
  readonly schema: number;
  readonly known: number;
  /** The start of the last UTC day with rows, in milliseconds since 1970; null without rows. */
  readonly lastDay: number | null;
}

/**
 * Examines a database without changing anything.
 *
 * @throws DomainError STORE_UNAVAILABLE if the database cannot be reached
 */
export async function examineDatabase(url: string): Promise<ExaminedDatabase> {
  const database = new PostgresDatabase(url);
  try {
    const { rows: servers } = await database.query<{ server: string }>(
      "SELECT current_setting('server_version') AS server",
    );
    const server = servers[0]?.server ?? '';
    const known = SCHEMA_VERSION;
    if (!(await database.hasSchema())) return { server, schema: 0, known, lastDay: null };
    const { rows: versions } = await database.query<{ schema: number | null }>(
      `SELECT max(version) AS schema FROM ${SCHEMA}.migration`,
    );
    const schema = versions[0]?.schema ?? 0;
    if (schema !== known) return { server, schema, known, lastDay: null };
    const { rows: times } = await database.query<{ last: string | null }>(
      `SELECT max(last) AS last FROM ${SCHEMA}.newest`,
    );
    const last = times[0]?.last ?? null;
    const day = MILLISECONDS.day;
    return { server, schema, known, lastDay: last === null ? null : Math.floor(Number(last) / day) * day };
  } finally {
    await database.close();
  }
}
