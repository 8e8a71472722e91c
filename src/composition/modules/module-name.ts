import { existsSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** What the default export of a module must be. */
export interface Contract<T> {
  /** For messages, with its article: `a transport`. */
  readonly what: string;
  /** The page that describes the contract. */
  readonly page: string;
  readonly isMet: (value: Partial<T>) => boolean;
}

/**
 * Loads the default export of a module.
 *
 * @param name name of the module in the settings
 * @throws Error in one line if the module cannot be loaded or exports something else
 */
export async function loadExport<T>(
  name: string,
  { what, page, isMet }: Contract<T>,
  load: () => Promise<unknown>,
): Promise<T> {
  const loaded = await load().catch((error: unknown) => {
    // Node.js adds an example of code, in further lines, to some of its messages.
    const [reason] = String(error instanceof Error ? error.message : error).split('\n', 1);
    throw new Error(`The module ${name} cannot be loaded: ${reason}`);
  });
  const { default: value } = loaded as { readonly default?: unknown };
  if (typeof value !== 'object' || value === null || !isMet(value))
    throw new Error(`The module ${name} does not export ${what} (${page}).`);
  return value as T;
}

/** Loads a module by its name in the settings. @param name a path, relative to the working directory, or a package */
export async function loadModule(name: string): Promise<unknown> {
  if (!isModule(name)) throw new Error(UNKNOWN_MODULE);
  return await import(specifierOf(name));
}

/** The reason for a module that `isModule` does not find. */
export const UNKNOWN_MODULE = 'no file or package has this name';

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
