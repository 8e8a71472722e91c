import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { commandName } from '../command-name.js';
import type { Config } from '../config.js';
import { thisUser } from '../reason.js';
import { shellWord } from '../shell-word.js';
import { dataFile, importsFolder, keysFolder, storeName } from './data-location.js';

/** The user id of root. Root may write anywhere, and other users cannot read its files. */
const ROOT = 0;

/** The command line of this process. */
export interface TypedCommand {
  /** The parameters, without the interpreter and the script. */
  readonly argv: readonly string[];
  /** The names of the environment variables that contain settings. */
  readonly variables: readonly string[];
}

/**
 * The folder whose owner is checked. `none`: no folder. `data directory`: the data directory, if it exists. `nearest`: the data
 * directory, or the nearest existing folder above it, in which the data directory will be created.
 */
export type CheckedFolder = 'none' | 'data directory' | 'nearest';

/**
 * Returns the user id of another user who owns data that root is about to use. Root must not use these data, because their owner
 * could not read files that root creates. Undefined if all data belong to root, or if this process does not run as root.
 *
 * @param runner the user id of this process; undefined on systems without user ids (Windows)
 * @param owners the user ids of the owners of the existing data
 */
export function foreignOwner(runner: number | undefined, owners: readonly number[]): number | undefined {
  return runner === ROOT ? owners.find((owner) => owner !== ROOT) : undefined;
}

/**
 * Throws an error in two cases: root is about to use data of another user, or the user of this process has no access to the data.
 * Must be called before a file of the data is opened.
 *
 * @param folder a folder that is checked in addition to the files. The service uses `none`, because containers start it as root
 *   in an empty folder of another user.
 * @throws Error with the command to enter, or with the user who may use the data
 */
export function assertOwnData(config: Config, command: TypedCommand, folder: CheckedFolder): void {
  assertUsable(config);
  const folders = [keysFolder(config), importsFolder(config)];
  const files = [dataFile(config), ...folders, ...folders.flatMap(filesIn)];
  const paths = [...checkedFolders(config, folder), ...files];
  const foreign = paths.find((path) => foreignOwner(process.getuid?.(), ownerOf(path)) !== undefined);
  const [owner] = ownerOf(foreign);
  if (foreign === undefined || owner === undefined) return;
  const name = userName(owner);
  throw new Error(
    `${foreign} belongs to ${nameOfUser(owner)}, and this user cannot read files that root ` +
      `creates. Type: ${sudoCommand(name ?? `#${owner}`, config, command)}`,
  );
}

/** @throws Error if this user has no access to the data or to the folder above the data, because they belong to another user */
function assertUsable(config: Config): void {
  for (const path of [dataFile(config), keysFolder(config)]) {
    const closed = path === undefined ? undefined : closedPath(path);
    const [owner] = ownerOf(closed);
    if (closed === undefined || owner === undefined || owner === process.getuid?.()) continue;
    throw new Error(
      `${closed} belongs to ${nameOfUser(owner)} and is not accessible to ${thisUser()}: ` +
        'run the command as the owner, or choose another data directory (WEATHERD_DATA_DIR)',
    );
  }
}

/**
 * Finds the path to which this user has no access.
 *
 * @returns `path`, or the nearest existing folder above it, if access to `path` is denied; undefined if `path` is readable or
 *   missing
 */
function closedPath(path: string): string | undefined {
  try {
    accessSync(path, constants.R_OK); // Keys may be on a disk that is mounted read-only.
    return undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') return undefined;
    return nearest(path);
  }
}

/**
 * The command line that runs the same command on the same data as another user. The command line contains the names of the
 * settings but not their values, because some values are secret.
 */
function sudoCommand(user: string, { DATA_DIR }: Config, { argv, variables }: TypedCommand): string {
  // WEATHERD_DATA_DIR is left out here. It is written into the command below as an absolute path, because its value may be relative
  // to the current folder, or may come from a file of settings.
  const passedOn = variables.filter((name) => name !== 'WEATHERD_DATA_DIR');
  // Without this option, sudo clears the environment.
  const preserve = passedOn.length === 0 ? [] : [`--preserve-env=${passedOn.join(',')}`];
  const settings = ['sudo', '-u', user, ...preserve, 'env', `WEATHERD_DATA_DIR=${DATA_DIR}`];
  return [...settings.map(shellWord), commandName(), ...argv.map(shellWord)].join(' ');
}

function checkedFolders(config: Config, folder: CheckedFolder): string[] {
  // A database on a server has no files in the data directory.
  if (folder === 'none' || storeName(config) === 'postgres') return [];
  return [folder === 'nearest' ? nearest(config.DATA_DIR) : config.DATA_DIR];
}

/** The folder itself, or the nearest existing folder above it. */
function nearest(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearest(dirname(folder));
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return []; // The folder does not exist. If it cannot be read, opening it later reports the reason.
  }
}

function ownerOf(path: string | undefined): number[] {
  if (path === undefined) return [];
  try {
    return [statSync(path).uid];
  } catch {
    return []; // The file does not exist. Root may examine all files.
  }
}

/** The name of a user of this machine, or a description with the id, for messages. */
export function nameOfUser(id: number): string {
  return userName(id) ?? `the user with the id ${id}`;
}

/** The name of a user, if the user is listed in /etc/passwd. */
function userName(id: number): string | undefined {
  try {
    const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
    return lines.map((line) => line.split(':')).find(([, , uid]) => uid === String(id))?.[0];
  } catch {
    return undefined;
  }
}
