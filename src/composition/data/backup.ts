import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, parse } from 'node:path';
import type { ByteObserver } from '#adapters/cli/byte-progress.js';
import { checkOutput } from '#adapters/cli/output-file.js';
import type { Config } from '../config.js';
import { dataFile, dataPaths, importsFolder, keysFolder, missingData } from './data-place.js';
import { makeFolder } from './folders.js';

/** Entries that a file system creates in a new folder. A folder with only these counts as empty. */
const NO_CONTENT: ReadonlySet<string> = new Set(['lost+found']);

/**
 * Writes a backup of the data and the signing keys. The service may be running.
 *
 * @param force whether an existing file is replaced
 * @returns a message about the result
 * @throws Error with the reason
 */
export async function backup(
  config: Config,
  file: string,
  force: boolean,
  observer: ByteObserver,
): Promise<string> {
  const source = sqliteFile(config, 'pg_dump --format=custom --schema=weatherd');
  const missing = await missingData(config);
  if (missing !== undefined) throw new Error(missing);
  const { path: target, isRegular } = checkOutput(file, { dataPaths: dataPaths(config), force });
  if (!isRegular) throw new Error(`${file} is no regular file: a backup cannot replace it.`);
  const { FileKeyStore } = await import('#adapters/keys-file/file-key-store.js');
  const { writeBackup } = await import('#adapters/store-sqlite/database/sqlite-backup.js');
  const store = new FileKeyStore(keysFolder(config));
  const keys = await store.list();
  await writeBackup(source, target, keys, observer);
  const missingKeys = store.damaged.map((reason) => `\nNot in it: ${reason}.`).join('');
  return `Wrote ${source} and ${keyCount(keys.length)} to ${target}. Whoever has it can make tokens.${missingKeys}`;
}

/**
 * Restores the data and the signing keys of a backup. The data file changes in one step: before it there are the old data,
 * with the keys of both, and after it the new data.
 *
 * @param force whether existing data are set aside
 * @returns a message about the result
 * @throws Error with the reason. The data have not been changed then.
 */
export async function restore(
  config: Config,
  file: string,
  force: boolean,
  observer: ByteObserver,
): Promise<string> {
  const target = sqliteFile(config, 'pg_restore --clean --if-exists');
  const { readBackup, restoreBackup } = await import('#adapters/store-sqlite/database/sqlite-backup.js');
  const { FileKeyStore } = await import('#adapters/keys-file/file-key-store.js');
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) throw new Error(`There is no file ${file}.`);
  if (!stats.isFile()) throw new Error(`${file} is no regular file: name the file of a backup.`);
  const keys = readBackup(file);
  const held = [...contentOf(config.DATA_DIR), ...(existsSync(target) ? [target] : [])];
  if (held.length > 0 && !force) {
    throw new Error(
      `${config.DATA_DIR} is not empty (${held[0]}); --force sets the data and the keys in it aside.`,
    );
  }
  makeFolder(config.DATA_DIR);
  const folder = keysFolder(config);
  const stamp = new Date().toISOString().replaceAll(/[-:.]/g, '');
  const aside = (path: string) => `${path}.replaced-${stamp}`;
  const replaced = [target, folder].filter((path) => existsSync(path)).map(aside);
  const addKeys = async () => {
    if (existsSync(folder)) {
      // Some versions of Node.js would make it readable by others.
      mkdirSync(aside(folder), { mode: 0o700 });
      cpSync(folder, aside(folder), { recursive: true });
    } else mkdirSync(folder, { mode: 0o700 });
    const store = new FileKeyStore(folder);
    for (const key of keys) await store.add(key);
  };
  await restoreBackup(file, target, aside(target), addKeys, observer);
  const ids = new Set(keys.map(({ id }) => id));
  for (const name of contentOf(folder)) if (!ids.has(parse(name).name)) rmSync(name, { force: true });
  // The progress of imports into the former data does not apply to the restored data.
  rmSync(importsFolder(config), { recursive: true, force: true });
  const former = replaced.length === 0 ? '' : ` What was there before is in ${replaced.join(' and ')}.`;
  return `Restored ${target} and ${keyCount(keys.length)} in ${folder}.${former}`;
}

/** @throws Error that names the backup tool of the database if the data are not in a SQLite file */
function sqliteFile(config: Config, tool: string): string {
  const file = dataFile(config);
  if (file !== undefined) return file;
  throw new Error(`The data are in PostgreSQL, which has a tool of its own for this: "${tool}".`);
}

function contentOf(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => !NO_CONTENT.has(name))
    .map((name) => join(folder, name));
}

function keyCount(count: number): string {
  return `${count} signing ${count === 1 ? 'key' : 'keys'}`;
}
