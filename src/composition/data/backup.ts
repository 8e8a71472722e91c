import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, parse } from 'node:path';
import type { ByteObserver } from '#adapters/cli/byte-progress.js';
import { checkOutput } from '#adapters/cli/output-file.js';
import type { Config } from '../config.js';
import { dataFile, dataPaths, importsFolder, keysFolder, missingData } from './data-location.js';
import { makeFolder } from './folders.js';

/** Entries that a file system creates in a new folder. A folder with only these entries counts as empty. */
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
  if (!isRegular) throw new Error(`${file} is not a regular file, so a backup cannot replace it: name another file.`);
  const { FileKeyStore } = await import('#adapters/keys-file/file-key-store.js');
  const { writeBackup } = await import('#adapters/store-sqlite/database/sqlite-backup.js');
  const store = new FileKeyStore(keysFolder(config));
  const keys = await store.list();
  await writeBackup(source, target, keys, observer);
  const missingKeys = store.damaged.map((reason) => `\nThe backup does not contain a key: ${reason}.`).join('');
  return `Wrote ${source} and ${keyCount(keys.length)} to ${target}. Everybody who can read this file can create tokens.${missingKeys}`;
}

/**
 * Restores the data and the signing keys of a backup. The data file is replaced in one step. Before this step, the old data are
 * in use, and the folder of keys has both the old keys and the keys of the backup.
 *
 * @param force whether existing data are renamed and kept; if false, existing data are an error
 * @returns a message about the result
 * @throws Error with the reason. The data were then not changed.
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
  if (stats === undefined) throw new Error(`The file ${file} does not exist.`);
  if (!stats.isFile()) throw new Error(`${file} is not a regular file: name the file of a backup.`);
  const keys = readBackup(file);
  const existing = [...contentOf(config.DATA_DIR), ...(existsSync(target) ? [target] : [])];
  if (existing.length > 0 && !force) {
    throw new Error(
      `${config.DATA_DIR} is not empty (${existing[0]}). With --force, the existing data and keys are renamed and kept.`,
    );
  }
  makeFolder(config.DATA_DIR);
  const folder = keysFolder(config);
  const time = new Date().toISOString().replaceAll(/[-:.]/g, '');
  const replacedName = (path: string) => `${path}.replaced-${time}`;
  const replaced = [target, folder].filter((path) => existsSync(path)).map(replacedName);
  const addKeys = async () => {
    if (existsSync(folder)) {
      // The folder is created before the copy, because `cpSync` of some versions of Node.js would make the folder readable for
      // other users.
      mkdirSync(replacedName(folder), { mode: 0o700 });
      cpSync(folder, replacedName(folder), { recursive: true });
    } else mkdirSync(folder, { mode: 0o700 });
    const store = new FileKeyStore(folder);
    for (const key of keys) await store.add(key);
  };
  await restoreBackup(file, target, replacedName(target), addKeys, observer);
  const ids = new Set(keys.map(({ id }) => id));
  for (const name of contentOf(folder)) if (!ids.has(parse(name).name)) rmSync(name, { force: true });
  // Imports over HTTP belong to the former data and are not valid for the restored data.
  rmSync(importsFolder(config), { recursive: true, force: true });
  const former = replaced.length === 0 ? '' : ` The former data are in ${replaced.join(' and ')}.`;
  return `Restored ${target} and ${keyCount(keys.length)} in ${folder}.${former}`;
}

/** The data file. @throws Error that names the backup tool of PostgreSQL if the data are not in a SQLite file */
function sqliteFile(config: Config, tool: string): string {
  const file = dataFile(config);
  if (file !== undefined) return file;
  throw new Error(`The data are in PostgreSQL. Use its own tool: "${tool}".`);
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
