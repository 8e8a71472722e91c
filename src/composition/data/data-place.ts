import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { realPath } from '../../adapters/cli/output-file.js';
import { locationOf } from '../../adapters/store-postgres/database/location.js';
import type { Config } from '../config.js';

/** The scheme of the database, as `STORES` names it. */
export function storeName({ DATABASE_URL }: Config): string {
  const [scheme = ''] = DATABASE_URL.split(':');
  return scheme === 'postgresql' ? 'postgres' : scheme;
}

/** The SQLite file that holds the data, whether or not it is there. Undefined for other stores. */
export function dataFile(config: Config): string | undefined {
  if (storeName(config) !== 'sqlite') return undefined;
  const named = config.DATABASE_URL.slice('sqlite:'.length);
  return named === '' ? join(config.DATA_DIR, 'weatherd.db') : resolve(named);
}

export function keysFolder(config: Config): string {
  return join(config.DATA_DIR, 'keys');
}

/** Where imports that were broken off keep how far they have come. */
export function importsFolder(config: Config): string {
  return join(config.DATA_DIR, 'imports');
}

/** Every file and folder with data in a place of its own, whether or not it exists. */
export function dataPaths(config: Config): string[] {
  const file = dataFile(config);
  // SQLite names the companions after the real path.
  const names = file === undefined ? [] : new Set([file, realPath(file)]);
  const files = [...names].flatMap((name) => ['', '-wal', '-shm', '-journal'].map((end) => `${name}${end}`));
  return [keysFolder(config), importsFolder(config), ...files];
}

/**
 * Where there are data that `init` must not add to: the data file, or the database. Undefined where there are none.
 *
 * @throws DomainError STORE_UNAVAILABLE when the database cannot be asked; Error where the data are in memory
 */
export async function existingData(config: Config): Promise<string | undefined> {
  const file = dataFile(config);
  if (file !== undefined) return exists(file) ? file : undefined;
  return (await missingData(config)) === undefined ? locationOf(config.DATABASE_URL) : undefined;
}

/**
 * What is missing before there are data at all: a sentence for people that says where was looked and how to point
 * elsewhere. Undefined where there are data.
 *
 * @throws DomainError STORE_UNAVAILABLE when the database cannot be asked; Error where the data are in memory
 */
export async function missingData(config: Config): Promise<string | undefined> {
  const file = dataFile(config);
  if (file !== undefined) {
    if (!exists(config.DATA_DIR)) {
      return `There is no data directory ${config.DATA_DIR}; WEATHERD_DATA_DIR says where it is.`;
    }
    if (exists(file)) {
      return isEmpty(file) ? `The data file ${file} is empty: restore a backup, or remove it.` : undefined;
    }
    const isUsual = config.DATABASE_URL === 'sqlite:';
    return isUsual
      ? `There is no data file in ${config.DATA_DIR}; WEATHERD_DATA_DIR says where it is.`
      : `There is no data file ${file}; WEATHERD_DATABASE_URL says where it is.`;
  }
  if (storeName(config) === 'memory') {
    throw new Error('WEATHERD_DATABASE_URL is memory: data in memory can be reached by the service alone.');
  }
  const { PostgresDatabase } = await import('../../adapters/store-postgres/database/postgres-database.js');
  const database = new PostgresDatabase(config.DATABASE_URL);
  try {
    if (await database.hasSchema()) return undefined;
    return `There are no data of weatherd in ${database.location}; WEATHERD_DATABASE_URL says where they are.`;
  } finally {
    await database.close();
  }
}

/** Whether a file has no bytes: SQLite would take it for a database without tables. False where it may not be looked at. */
export function isEmpty(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false })?.size === 0;
  } catch {
    return false;
  }
}

/** Also true where the folder may not be looked into: what opens the file then says why it cannot. */
function exists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES';
  }
}
