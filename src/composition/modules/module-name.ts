import { existsSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Loads a module by its name in the settings. @param name a path, relative to the working directory, or a package */
export async function loadModule(name: string): Promise<unknown> {
  return await import(specifierOf(name));
}

/** Whether a file or a package with this name exists. The module is not loaded. */
export function isModule(name: string): boolean {
  try {
    const url = import.meta.resolve(specifierOf(name));
    return url.startsWith('file:') ? existsSync(fileURLToPath(url)) : true;
  } catch {
    return false;
  }
}

/** The import specifier of a name. */
function specifierOf(name: string): string {
  return name.startsWith('.') || isAbsolute(name) ? pathToFileURL(resolve(name)).href : name;
}
