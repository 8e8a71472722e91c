import type { StoredSettingName } from '#application/ports/setting-store.js';
import { recordOfSetting } from '#adapters/store/settings/setting-operations.js';
import { SCHEMA } from '../database/migrations.js';
import { PostgresDatabase } from '../database/postgres-database.js';

/** Reads a setting that is kept in a database, without changing anything. @returns undefined if it was never set */
export async function storedSetting(url: string, name: StoredSettingName): Promise<string | undefined> {
  const database = new PostgresDatabase(url);
  try {
    if (!(await database.hasSchema())) return undefined;
    const { rows } = await database.query<{ text: string }>(
      `SELECT text FROM ${SCHEMA}.upload_record WHERE name = $1`,
      [recordOfSetting(name)],
    );
    return rows[0]?.text;
  } finally {
    await database.close();
  }
}
