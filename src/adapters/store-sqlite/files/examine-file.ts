import { existsSync } from 'node:fs';
import { MILLISECONDS } from '#domain/time.js';
import { dayOfKey, DAYS } from '#adapters/formats/packed/chunk-key.js';
import { Sqlite } from '../database/driver.js';
import { assertKnownSchema, SCHEMA_VERSION, schemaVersion } from '../database/migrations.js';
import { fileFaultText } from './file-faults.js';

/** The schema version and the newest day of a database. */
export interface Examined {
  /** The schema version of the database, and the schema version that this program writes. */
  readonly schema: number;
  readonly known: number;
  /** The start of the last UTC day with rows, in milliseconds since 1970; null without rows. */
  readonly lastDay: number | null;
}

/** Milliseconds to wait for a lock. */
export const BUSY_TIMEOUT = 2000;

const LAST_KEYS = `SELECT (SELECT max(key) FROM chunk WHERE key >= station * ${DAYS} AND key < (station + 1) * ${DAYS})
  FROM newest`;

/**
 * Examines a data file without changing anything.
 *
 * @throws Error if the file cannot be read, belongs to another program, or was written by a newer version
 */
export function examineFile(file: string): Examined {
  // A connection without write access does not remove the files -wal and -shm that it has created. If -wal does not exist yet,
  // the connection gets write access, so that both files are removed when it is closed.
  const readonly = existsSync(`${file}-wal`);
  let database: InstanceType<typeof Sqlite> | undefined;
  try {
    database = new Sqlite(file, { readonly, fileMustExist: true, timeout: BUSY_TIMEOUT });
    assertKnownSchema(database);
    const schema = schemaVersion(database);
    // Tables may be missing if the schema of the file has not been migrated to the current version.
    const lastDay = schema < SCHEMA_VERSION ? null : lastDayOf(database);
    return { schema, known: SCHEMA_VERSION, lastDay };
  } catch (error) {
    throw new Error(fileFaultText(error), { cause: error });
  } finally {
    database?.close();
  }
}

function lastDayOf(database: InstanceType<typeof Sqlite>): number | null {
  const keys = database.prepare<[], number | null>(LAST_KEYS).pluck().all();
  const days = keys.flatMap((key) => (key === null ? [] : [dayOfKey(key) * MILLISECONDS.day]));
  const runs = ['run', 'block_run'].flatMap((table) => {
    const last = database.prepare<[], number | null>(`SELECT max(last) FROM ${table}`).pluck().get() ?? null;
    return last === null ? [] : [Math.floor(last / MILLISECONDS.day) * MILLISECONDS.day];
  });
  return [...days, ...runs].reduce<number | null>((most, day) => Math.max(most ?? day, day), null);
}
