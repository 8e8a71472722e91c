import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { realPath } from '#adapters/cli/output-file.js';
import { locationOf } from '#adapters/store-postgres/database/location.js';
import type { Config } from '../config.js';
import { thenClose } from '../runnables.js';

/** The hint for a message about missing data. */
export const INIT_HINT = '"weatherd init" creates new data.';

/** Returns the scheme of the database URL, which is a key of `STORE_MODULES`. The scheme `postgresql` becomes `postgres`. */
export function storeName({ DATABASE_URL }: Config): string {
  const [scheme = ''] = DATABASE_URL.split(':');
  return scheme === 'postgresql' ? 'postgres' : scheme;
}

/** The SQLite file with the data, whether or not it exists. Undefined for other stores. */
export function dataFile(config: Config): string | undefined {
  if (storeName(config) !== 'sqlite') return undefined;
  const named = config.DATABASE_URL.slice('sqlite:'.length);
  return named === '' ? join(config.DATA_DIR, 'weatherd.db') : resolve(named);
}

export function keysFolder(config: Config): string {
  return join(config.DATA_DIR, 'keys');
}

/** The folder with the files that are imported over HTTP. */
export function importsFolder(config: Config): string {
  return join(config.DATA_DIR, 'imports');
}

/** All files and folders with data, whether or not they exist. */
export function dataPaths(config: Config): string[] {
  const file = dataFile(config);
  // SQLite derives the names of its additional files from the real path.
  const names = file === undefined ? [] : new Set([file, realPath(file)]);
  const files = [...names].flatMap((name) => ['', '-wal', '-shm', '-journal'].map((end) => `${name}${end}`));
  return [keysFolder(config), importsFolder(config), ...files];
}

/**
 * Location of existing data: the data file or the database. Undefined if there are no data.
 *
 * @throws DomainError STORE_UNAVAILABLE if the database cannot be queried; Error of the system if the file cannot be examined
 */
export async function existingData(config: Config): Promise<string | undefined> {
  const file = dataFile(config);
  if (file !== undefined) return statSync(file, { throwIfNoEntry: false }) && file;
  return (await missingData(config)) === undefined ? locationOf(config.DATABASE_URL) : undefined;
}

/**
 * Returns a message that the data do not exist or are empty, with the examined location and advice. Undefined if data exist.
 *
 * @throws DomainError STORE_UNAVAILABLE if the database cannot be queried
 */
export async function missingData(config: Config): Promise<string | undefined> {
  const file = dataFile(config);
  if (file !== undefined) {
    if (!exists(config.DATA_DIR)) {
      return `The data directory ${config.DATA_DIR} does not exist. WEATHERD_DATA_DIR sets the data directory.`;
    }
    if (exists(file)) {
      return isEmpty(file) ? `The data file ${file} is empty: restore a backup, or remove it.` : undefined;
    }
    const isDefault = config.DATABASE_URL === 'sqlite:';
    return isDefault
      ? `The data directory ${config.DATA_DIR} has no data file. WEATHERD_DATA_DIR sets the data directory.`
      : `The data file ${file} does not exist. WEATHERD_DATABASE_URL sets the data file.`;
  }
  const { PostgresDatabase } = await import('#adapters/store-postgres/database/postgres-database.js');
  const database = new PostgresDatabase(config.DATABASE_URL);
  const hasSchema = await thenClose(
    () => database.hasSchema(),
    () => database.close(),
  );
  if (hasSchema) return undefined;
  return `The database ${database.location} has no data of weatherd. WEATHERD_DATABASE_URL sets the database.`;
}

/**
 * Whether a file is empty. SQLite would treat an empty file as a database without tables. False if the file cannot be examined.
 */
export function isEmpty(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false })?.size === 0;
  } catch {
    return false;
  }
}

/**
 * Whether a path exists. The result is also true if the folder of the path cannot be read. Opening the file then reports the
 * reason.
 */
function exists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES';
  }
}
