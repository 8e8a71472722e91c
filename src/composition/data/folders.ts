import { mkdirSync, rmdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder (mode 0700) and its missing parents, one after the other. The option `recursive` of Node.js is not used: it
 * never ends in a folder such as /proc, where every creation fails with ENOENT. An existing folder is not an error.
 *
 * @returns the created folders, the innermost first
 * @throws Error of the file system
 */
export function makeFolder(path: string): readonly string[] {
  if (isFolder(path)) return [];
  const parent = dirname(path);
  const parents = parent === path ? [] : makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
    return [path, ...parents];
  } catch (error) {
    // Another process may have created the folder at the same time.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && isFolder(path)) return parents;
    removeFolders(parents);
    throw error;
  }
}

/** Removes empty folders. @param paths the folders, the innermost first */
export function removeFolders(paths: readonly string[]): void {
  for (const path of paths) {
    try {
      rmdirSync(path);
    } catch {
      return; // The folder is not empty, so its parents are not empty either.
    }
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch (error) {
    // Before Node.js 24 this is an error. The folder below which a file is in the way is then named by its creation.
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return false;
    throw error;
  }
}
