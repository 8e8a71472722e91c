// npm takes the modes of the packed files from the disk, where they depend on the umask of the user, and npm has no option for that.
import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, normalize, relative } from 'node:path';

/** Files that npm packs without an entry in `files`. */
const ALWAYS = ['package.json', 'README.md', 'LICENSE'];

/** Gives the files that npm packs the same modes everywhere. @param root folder of the package */
export function setModes(root) {
  const { bin } = readManifest(root);
  const programs = new Set(Object.values(bin).map((path) => normalize(path)));
  for (const path of packedFiles(root)) chmodSync(join(root, path), programs.has(path) ? 0o755 : 0o644);
}

/**
 * The paths of the files that npm packs. npm itself can list them, but compresses them for that.
 *
 * @param root folder of the package
 */
export function packedFiles(root) {
  const { files } = readManifest(root);
  const wanted = [...ALWAYS, ...files.filter((entry) => !entry.startsWith('!'))].map(matcher);
  const unwanted = files.filter((entry) => entry.startsWith('!')).map((entry) => matcher(entry.slice(1)));
  const isPacked = (path) =>
    wanted.some((pattern) => pattern.test(path)) && !unwanted.some((pattern) => pattern.test(path));
  return [...new Set([...ALWAYS, ...files].map((entry) => entry.split('/')[0]))]
    .flatMap((entry) => pathsBelow(root, entry))
    .filter(isPacked);
}

/** Matches the paths that an entry of `files` names: files, and all files in a folder. */
function matcher(entry) {
  const parts = entry.split(/(\*\*\/|\*)/).map((part) => {
    if (part === '**/') return '(?:[^/]+/)*';
    return part === '*' ? '[^/]*' : part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);
  });
  return new RegExp(`^${parts.join('')}(?:/|$)`);
}

function pathsBelow(root, path) {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found === undefined ? [] : [path];
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)));
}

function readManifest(root) {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
}
