import { existsSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Transport } from '#adapters/http/core/transport.js';

/** The functions that load the transports, by name. */
export const TRANSPORTS: Readonly<Record<string, () => Promise<{ default: Transport }>>> = {
  express: () => import('#adapters/http/express/express-transport.js'),
  fastify: () => import('#adapters/http/fastify/fastify-transport.js'),
};

/**
 * Loads a transport, which is the module that routes the requests of an API, for example with Express or Fastify.
 *
 * @param name the name of a transport, a path to a module, or a package. A module exports the transport as default.
 * @throws Error if the module cannot be loaded or does not export a transport
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

/** Whether a transport, a file or a package with this name exists. The module is not loaded. */
export function isTransport(name: string): boolean {
  if (Object.hasOwn(TRANSPORTS, name)) return true;
  try {
    const url = import.meta.resolve(specifierOf(name));
    return url.startsWith('file:') ? existsSync(fileURLToPath(url)) : true;
  } catch {
    return false;
  }
}

/** The import specifier of a name. A path is relative to the working directory; any other name is a package. */
function specifierOf(name: string): string {
  return name.startsWith('.') || isAbsolute(name) ? pathToFileURL(resolve(name)).href : name;
}
