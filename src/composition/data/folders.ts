import { mkdirSync, rmdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder (mode 0700) and its parents, one after the other. Node's recursive way never ends below a folder
 * such as /proc, which answers ENOENT when something is created in it. An existing folder is not an error.
 *
 * @returns the folders that were created, the innermost first
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
    // Another process may have created it meanwhile.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && isFolder(path)) return parents;
    removeFolders(parents);
    throw error;
  }
}

/** Removes folders, the innermost first, as far as they are empty. */
export function removeFolders(paths: readonly string[]): void {
  for (const path of paths) {
    try {
      rmdirSync(path);
    } catch {
      return; // Something is in it, so the folders around it stay too.
    }
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
