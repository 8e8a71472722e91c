import type { Transport } from '#adapters/http/core/transport.js';
import { TRANSPORTS } from '#composition/modules/transports.js';
import nodeTransport from './node-transport.js';

export * from '#transport-suite/running-api.js';

/**
 * The transports (modules that route HTTP requests, such as Express) on which the tests run the API: a name, and a function that
 * loads the transport.
 */
export const transports: readonly (readonly [name: string, load: () => Promise<Transport>])[] = [
  ['express', async () => (await TRANSPORTS['express']!()).default],
  ['fastify', async () => (await TRANSPORTS['fastify']!()).default],
  ['node (docs/transports.md)', async () => nodeTransport],
];

/** The transports of the service, for suites about what a transport passes on unchanged, such as tokens and conditions. */
export const serviceTransports = transports.slice(0, 2);

/** The default transport of the external API, for suites about what the core alone decides. */
export const defaultTransport = transports.slice(0, 1);
