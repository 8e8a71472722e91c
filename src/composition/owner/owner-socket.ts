import { lstatSync, mkdtempSync, readFileSync, renameSync, rmSync, type Stats, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { realPath } from '#adapters/cli/output-file.js';
import { nameOfUser } from '../data/data-owner.js';
import { removeFolders } from '../data/folders.js';
import { MAX_SOCKET_PATH } from '../settings/settings.js';

/** The permission bits of the group and of other users. */
const OTHERS = 0o077;

/** The path of the socket on which a service accepts commands; undefined if no service has offered a socket. */
export function socketToReach(file: string): string | undefined {
  return socketBeside(file) ?? namedSocket(file);
}

/**
 * The path of the socket on which the service listens for commands. Usually the socket is beside the data file. If that path is
 * too long for a socket, the socket is in a new folder, and a file beside the data file contains the path of the socket.
 *
 * @param runtime the folder in which the new folder is created
 * @throws Error of the system
 */
export function socketToOffer(file: string, runtime: string): string {
  const beside = socketBeside(file);
  if (beside !== undefined) return beside;
  const named = namedSocket(file);
  // A service that has crashed leaves its folder. The folder is then used again.
  if (named !== undefined && isOwnFolder(dirname(named))) return named;
  const folder = mkdtempSync(join(runtime, 'weatherd-'));
  const path = join(folder, 'sock');
  const pointer = pointerOf(file);
  try {
    writeFileSync(`${pointer}.tmp`, path, { mode: 0o600 });
    renameSync(`${pointer}.tmp`, pointer);
  } catch (error) {
    rmSync(`${pointer}.tmp`, { force: true });
    removeFolders([folder]);
    throw error;
  }
  return path;
}

/** Removes the folder and the file that `socketToOffer` has created. The caller must remove the socket before this call. */
export function withdrawSocket(file: string): void {
  const named = socketBeside(file) === undefined ? namedSocket(file) : undefined;
  if (named === undefined) return;
  removeFolders([dirname(named)]);
  rmSync(pointerOf(file), { force: true });
}

/** The name of another user who owns a socket, for messages; undefined if it belongs to this user or does not exist. */
export function otherOwner(path: string): string | undefined {
  const uid = statsOf(path)?.uid;
  return uid === undefined || uid === process.getuid?.() ? undefined : nameOfUser(uid);
}

function socketBeside(file: string): string | undefined {
  const path = `${realPath(file)}.sock`;
  return Buffer.byteLength(path) <= MAX_SOCKET_PATH ? path : undefined;
}

function pointerOf(file: string): string {
  return `${realPath(file)}.sock-path`;
}

function namedSocket(file: string): string | undefined {
  try {
    return readFileSync(pointerOf(file), 'utf8') || undefined;
  } catch {
    return undefined; // The file does not exist. If it cannot be read, opening the data reports the reason.
  }
}

function isOwnFolder(path: string): boolean {
  const stats = statsOf(path);
  return stats?.isDirectory() === true && stats.uid === process.getuid?.() && (stats.mode & OTHERS) === 0;
}

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}
