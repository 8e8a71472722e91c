import { existsSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import { freemem, platform, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Folder of a file system in memory on Linux. Commits of databases do not wait for a disk there. */
export const IN_MEMORY = '/dev/shm';
/** Bytes that must be free in memory for the files of all workers and for their database servers. */
const NEEDED_MEMORY = 8_000_000_000;

/** Name of the environment variable with the folder for temporary files that later test runs use again. */
const CACHE = 'TEST_CACHE_FOLDER';

/** The folder in memory that this process has created; undefined if it has created none. */
let folder: string | undefined;

/** Folder for temporary files that later test runs use again. It is never in the folder of a run. */
export function cacheFolder(): string {
  return process.env[CACHE] ?? tmpdir();
}

/**
 * Moves the temporary files of this run into memory if there is room. Mocha calls this function once before workers start. Workers
 * and the processes of tests inherit the environment variable.
 */
export async function useMemory(): Promise<void> {
  if (!hasRoomInMemory()) return;
  process.env[CACHE] = tmpdir();
  folder = await mkdtemp(join(IN_MEMORY, 'weatherd-'));
  // Any user may create files in a folder for temporary files, and remove only own files. A test that runs as root starts
  // database servers as another user.
  await chmod(folder, 0o1777);
  process.env['TMPDIR'] = folder;
}

/** Removes the files in memory when this process ends. Mocha calls this function once at the end of the run. */
export function leaveMemory(): void {
  const used = folder;
  // In a run without workers, suites remove their own folders when the process ends. This listener is called after theirs.
  // Processes that are still ending create and remove files, so the removal is repeated.
  if (used !== undefined)
    process.once('exit', () => rmSync(used, { recursive: true, maxRetries: 20, retryDelay: 100 }));
}

/** Folders of this process that are removed when it ends. */
const folders: string[] = [];

/** Removes a folder when this process ends. Node warns of a leak if each folder has a listener of its own. */
export function removeAtExit(path: string): void {
  if (folders.length === 0)
    process.once('exit', () => {
      for (const one of folders) rmSync(one, { recursive: true });
    });
  folders.push(path);
}

/** Whether the files fit into memory, and whether programs may be run from there. */
function hasRoomInMemory(): boolean {
  if (platform() !== 'linux' || !existsSync(IN_MEMORY)) return false;
  const mount = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .findLast((line) => line.split(' ')[1] === IN_MEMORY);
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return (
    mount !== undefined && !/\bnoexec\b/.test(mount) && Math.min(bavail * bsize, freemem()) >= NEEDED_MEMORY
  );
}
