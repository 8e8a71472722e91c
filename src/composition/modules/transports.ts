import type { Transport } from '#adapters/http/core/transport.js';
import { type Contract, isModule, loadExport, loadModule } from './module-name.js';

/** The functions that load the transports, by name. */
export const TRANSPORTS: Readonly<Record<string, () => Promise<{ default: Transport }>>> = {
  express: () => import('#adapters/http/express/express-transport.js'),
  fastify: () => import('#adapters/http/fastify/fastify-transport.js'),
};

const TRANSPORT: Contract<Transport> = {
  what: 'a transport',
  page: 'docs/transports.md',
  isMet: ({ name, mount }) => typeof name === 'string' && typeof mount === 'function',
};

/**
 * Loads a transport, which is the module that routes the requests of an API, for example with Express or Fastify.
 *
 * @param name the name of a transport, a path to a module, or a package. A module exports the transport as default.
 * @throws Error if the module cannot be loaded or does not export a transport
 */
export async function loadTransport(name: string): Promise<Transport> {
  return await loadExport(name, TRANSPORT, TRANSPORTS[name] ?? (() => loadModule(name)));
}

/** Whether a transport, a file or a package with this name exists. The module is not loaded. */
export function isTransport(name: string): boolean {
  if (Object.hasOwn(TRANSPORTS, name)) return true;
  return isModule(name);
}
