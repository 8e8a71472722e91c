import { existsSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Transport } from '#adapters/http/core/transport.js';

/** The transports by name; loaded only when chosen. */
export const TRANSPORTS: Readonly<Record<string, () => Promise<{ default: Transport }>>> = {
  express: () => import('#adapters/http/express/express-transport.js'),
  fastify: () => import('#adapters/http/fastify/fastify-transport.js'),
};

/**
 * The transport with this name, or the default export of the module at this path or in this package.
 *
 * @throws Error when there is no such module or it exports no transport
 */
export async function loadTransport(name: string): Promise<Transport> {
  const load = TRANSPORTS[name] ?? (() => import(specifierOf(name)));
  let loaded: { default?: Partial<Transport> };
  try {
    loaded = await load();
  } catch (error) {
    throw new Error(`The transport ${name} cannot be loaded: ${(error as Error).message}`, { cause: error });
  }
  const transport = loaded.default;
  if (typeof transport?.name !== 'string' || typeof transport.mount !== 'function') {
    throw new Error(`The module ${name} does not export a transport (docs/transports.md).`);
  }
  return transport as Transport;
}

/** Whether there is a transport, a file or a package with this name. Nothing of it is run. */
export function isTransport(name: string): boolean {
  if (Object.hasOwn(TRANSPORTS, name)) return true;
  try {
    const url = import.meta.resolve(specifierOf(name));
    return url.startsWith('file:') ? existsSync(fileURLToPath(url)) : true;
  } catch {
    return false;
  }
}

/** Paths are taken from the working directory; anything else is a package. */
function specifierOf(name: string): string {
  return name.startsWith('.') || isAbsolute(name) ? pathToFileURL(resolve(name)).href : name;
}
