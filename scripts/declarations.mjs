// Type declarations of the exports of package.json, for projects in TypeScript that use the published package.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Folder of the declarations in the package. */
const FOLDER = 'dist/types';
/** Imports in a declaration that the compiler wrote. */
const IMPORTS = /(?:\bfrom |\bimport |\bimport\()'([^']+)'|\bimport\("([^"]+)"\)/g;

/**
 * Removes the declarations that no export reaches. The compiler writes declarations of all modules that the exports load, also of those
 * whose types no declaration names.
 *
 * @param root folder of the project
 * @throws Error if a declaration that an export needs does not exist
 */
export function keepReachedDeclarations(root) {
  const { exports, imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const reached = new Set();
  const add = (path, importer) => {
    if (reached.has(path)) return;
    if (!existsSync(path)) throw new Error(`${importer} needs ${path}, which does not exist.`);
    reached.add(path);
    for (const [, written, inferred] of readFileSync(path, 'utf8').matchAll(IMPORTS)) {
      const target = resolve(written ?? inferred, path);
      if (target !== undefined) add(target.replace(/\.js$/, '.d.ts'), path);
    }
  };
  const resolve = (name, importer) => {
    if (name.startsWith('.')) return join(dirname(importer), name);
    for (const [pattern, { types: target }] of Object.entries(imports)) {
      const start = pattern.replace('*', '');
      if (name.startsWith(start)) return join(root, target.replace('*', name.slice(start.length)));
    }
    return undefined;
  };
  for (const { types } of Object.values(exports)) {
    if (types !== undefined) add(join(root, types), 'package.json');
  }
  for (const path of declarationsIn(join(root, FOLDER))) {
    if (!reached.has(path)) rmSync(path);
  }
}

function declarationsIn(folder) {
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true }) : [];
  return names.filter((name) => name.endsWith('.d.ts')).map((name) => join(folder, name));
}
