import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Mounted } from '../core/transport.js';
import type { Limits } from './limits.js';
import { MIN_TLS_VERSION, type TlsPair } from './tls.js';

export interface NodeServerOptions {
  readonly mounted: Mounted;
  readonly limits: Limits;
  readonly tls?: TlsPair | undefined;
}

/** Creates Node's HTTP server and sets all of its limits. */
export function createNodeServer({ limits, mounted, tls }: NodeServerOptions): Server {
  const options = {
    headersTimeout: limits.headersTimeout,
    requestTimeout: limits.requestTimeout,
    keepAliveTimeout: limits.keepAliveTimeout,
    connectionsCheckingInterval: limits.checkInterval,
    maxHeaderSize: limits.maxHeaderSize,
    // `valid-request.ts` checks the Host header instead, because Node's own reply has no body.
    requireHostHeader: false,
    ...mounted.classes,
  };
  const server = tls
    ? createTlsServer({
        ...options,
        ...tls,
        minVersion: MIN_TLS_VERSION,
        handshakeTimeout: limits.headersTimeout,
      })
    : createServer(options);
  server.maxConnections = limits.maxConnections;
  // 0 means that the number of headers is not limited. With a limit, Node would drop further headers without an error. The size
  // of all headers is limited already.
  server.maxHeadersCount = 0;
  return server;
}
