import type { ApiDefinition } from '../../src/adapters/http/core/api-definition.js';
import { compileApi } from '../../src/adapters/http/core/api.js';
import type { Transport } from '../../src/adapters/http/core/transport.js';
import { HttpServer, type HttpServerOptions } from '../../src/adapters/http/server/http-server.js';
import { DEFAULT_LIMITS, type Limits } from '../../src/adapters/http/server/limits.js';

export interface LogLine {
  readonly fields: Record<string, unknown>;
  readonly message: string;
}

export interface RunningApi {
  readonly url: string;
  readonly server: HttpServer;
  readonly log: readonly LogLine[];
  readonly failures: readonly unknown[];
  /** Makes the API refuse new requests, as during shutdown. */
  beginClosing(): void;
}

export interface RunOptions {
  readonly limits?: Partial<Limits>;
  readonly tls?: NonNullable<HttpServerOptions['tls']>;
  readonly isProxy?: NonNullable<HttpServerOptions['isProxy']>;
}

/**
 * Starts a server with an API on a transport, which is a module that routes HTTP requests, such as Express. The server listens on
 * a free port of the loopback interface.
 */
export async function runApi(
  transport: Transport,
  parts: Pick<ApiDefinition, 'endpoints' | 'pages' | 'guard' | 'headers' | 'uploadKeys'> &
    Partial<Pick<ApiDefinition, 'authorize'>>,
  { limits = {}, tls, isProxy = () => false }: RunOptions = {},
): Promise<RunningApi> {
  const log: LogLine[] = [];
  const failures: unknown[] = [];
  let closing = false;
  const write = (fields: object, message: string) => void log.push({ fields: { ...fields }, message });
  const api = compileApi({
    authorize: () => Promise.reject(new Error('this API has no tokens')),
    ...parts,
    isClosing: () => closing,
    onFailure: (_id, error) => void failures.push(error),
  });
  const server = new HttpServer({
    api,
    mounted: await transport.mount(api),
    limits: { ...DEFAULT_LIMITS, ...limits },
    log: {
      request: (record) => write(record, 'request'),
      refusal: (id, error, reason) => write({ id, error, reason }, 'refused'),
      headTextRefused: () => write({}, 'head text refused'),
      connectionsRefused: (count) => write({ count }, 'connections refused'),
    },
    tls,
    isProxy,
    clientOf: (message) => message.socket.remoteAddress ?? '',
  });
  const url = await server.listen('127.0.0.1', 0);
  return { url, server, log, failures, beginClosing: () => void (closing = true) };
}
