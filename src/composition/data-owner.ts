import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from './config.js';
import { dataFile, importsFolder, keysFolder } from './data-place.js';

/** The user id of root, who may write anywhere and whose files nobody else may read. */
const ROOT = 0;

/**
 * The user whose data a command would spoil: what root writes beside them their owner could not read. Undefined where
 * nothing is spoilt.
 *
 * @param runner the user id of this process, undefined where there is none (Windows)
 * @param owners the user ids of the data that are there
 */
export function foreignOwner(runner: number | undefined, owners: readonly number[]): number | undefined {
  return runner === ROOT ? owners.find((owner) => owner !== ROOT) : undefined;
}

/**
 * Refuses to run as root beside the data of another user, before anything is opened.
 *
 * @param argv the command line without the interpreter and the script
 * @param withFolder whether the owner of the data directory counts, also where it is empty. A service that is started by
 *   root may serve an empty folder of somebody else's, as containers do
 * @throws Error that says which command to type instead
 */
export function assertOwnData(config: Config, argv: readonly string[], withFolder: boolean): void {
  const folders = [keysFolder(config), importsFolder(config)];
  const files = [dataFile(config), ...folders, ...folders.flatMap(filesIn)];
  const paths = withFolder ? [nearest(config.DATA_DIR), ...files] : files;
  const foreign = paths.find((path) => foreignOwner(process.getuid?.(), ownerOf(path)) !== undefined);
  const [owner] = ownerOf(foreign);
  if (foreign === undefined || owner === undefined) return;
  const name = userName(owner);
  const environment = `WEATHERD_DATA_DIR=${quote(config.DATA_DIR)}`;
  const command = ['weatherd', ...argv].map(quote).join(' ');
  throw new Error(
    `${foreign} belongs to ${name ?? `the user with the id ${owner}`}, who could not read what root ` +
      `writes beside it. Type: sudo -u ${name ?? `'#${owner}'`} env ${environment} ${command}`,
  );
}

/** The folder itself, or the nearest above it that is there: what root makes in another user's folder is root's. */
function nearest(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearest(dirname(folder));
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return []; // It is not there; where it cannot be read, what opens it says so.
  }
}

function ownerOf(path: string | undefined): number[] {
  if (path === undefined) return [];
  try {
    return [statSync(path).uid];
  } catch {
    return []; // It is not there. Root may look everywhere.
  }
}

/** The name of a user of this machine, where it is listed in /etc/passwd. */
function userName(id: number): string | undefined {
  try {
    const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
    return lines.map((line) => line.split(':')).find(([, , uid]) => uid === String(id))?.[0];
  } catch {
    return undefined;
  }
}

/** As a shell takes it for one word. */
function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
