import type { Container } from 'inversify';
import type { ApiDefinition } from '../adapters/http/core/api-definition.js';
import { compileApi } from '../adapters/http/core/api.js';
import { type Beside, withBeside } from '../adapters/http/core/beside.js';
import type { Mounted } from '../adapters/http/core/transport.js';
import { externalHeaders } from '../adapters/http/external/headers.js';
import { uploadKeyAccess } from '../adapters/http/external/upload-key-access.js';
import { requestLimit } from '../adapters/http/external/request-limit.js';
import { internalGuard } from '../adapters/http/internal/guard.js';
import { clientAddresses } from '../adapters/http/server/client-address.js';
import { HttpServer } from '../adapters/http/server/http-server.js';
import { BULK_LIMITS, DEFAULT_LIMITS } from '../adapters/http/server/limits.js';
import type { Log } from '../adapters/log-pino/logger.js';
import { Authorize } from '../application/accounts/sessions/authorize.js';
import { AuthorizeUploadKey } from '../application/uploads/keys/authorize-upload-key.js';
import type { ApiName } from '../application/operation/get-info.js';
import type { Config } from './config.js';
import { makeExternalEndpoints, makeInternalEndpoints } from './modules/endpoints.js';
import { loadTransport } from './modules/transports.js';
import { readTlsFiles } from './settings/tls-files.js';
import { withSourceLines } from './source-lines.js';
import { uploadReachOf } from './upload-reach.js';

export interface ServerSettings {
  readonly config: Config;
  readonly container: Container;
  readonly log: Log;
  readonly isClosing: () => boolean;
  /** Finds the upload of a request target; undefined if uploads are switched off. */
  readonly uploads: ((target: string) => Beside | undefined) | undefined;
}

/**
 * Creates the server of one API on the configured transport. It does not listen yet.
 *
 * @throws Error if the transport or the TLS files cannot be loaded
 */
export async function makeServer(name: ApiName, settings: ServerSettings): Promise<HttpServer> {
  const { config } = settings;
  const logger = settings.log.logger.child({ api: name });
  const isExternal = name === 'external';
  const authorize = settings.container.get(Authorize);
  const transport = await loadTransport(isExternal ? config.EXTERNAL_TRANSPORT : config.INTERNAL_TRANSPORT);
  const api = compileApi({
    ...(isExternal ? externalApi(settings) : internalApi(settings)),
    authorize: (token, access) => authorize.execute({ token, ...access }),
    isClosing: settings.isClosing,
    onFailure: (id, error) => logger.error({ id, err: describeFailure(error) }, 'request failed'),
  });
  const mounted = await transport.mount(api);
  return new HttpServer({
    api,
    mounted: isExternal ? withUploads(mounted, settings) : mounted,
    limits: isExternal ? DEFAULT_LIMITS : BULK_LIMITS,
    log: {
      request: settings.log.requestWriter(name),
      refusal: (id, error, reason) => logger.warn({ id, error, reason }, 'refused before it was a request'),
      headTextRefused: () =>
        logger.info('replies are written by Node.js itself: its heads are not as expected'),
      connectionsRefused: (count) => logger.warn({ count }, 'too many connections: the newest were closed'),
    },
    tls: isExternal ? readTlsFiles(config) : undefined,
    ...clientAddresses(config.TRUSTED_PROXIES),
  });
}

/** Consoles that have TLS send their uploads to the external API, where the certificate is. */
function withUploads(mounted: Mounted, { config, uploads }: ServerSettings): Mounted {
  return uploads !== undefined && hasTls(config) ? withBeside(mounted, uploads) : mounted;
}

/** Whether clients speak TLS to the external API, or to a proxy before it. */
function hasTls(config: Config): boolean {
  return config.EXTERNAL_TLS_CERT !== undefined || config.EXTERNAL_TLS_TERMINATED;
}

type ApiParts = Pick<ApiDefinition, 'endpoints' | 'guard' | 'headers' | 'uploadKeys'>;

function externalApi({ config, container }: ServerSettings): ApiParts {
  const headers = externalHeaders({ allowedOrigins: config.EXTERNAL_ALLOWED_ORIGINS, tls: hasTls(config) });
  const guard = requestLimit(config.RATE_LIMIT);
  return {
    endpoints: makeExternalEndpoints(container, config.READ_ACCESS, uploadReachOf(config)),
    uploadKeys: uploadKeyAccess(container.get(AuthorizeUploadKey)),
    ...(headers && { headers }),
    ...(guard && { guard }),
  };
}

function internalApi({ config, container }: ServerSettings): ApiParts {
  const guard = internalGuard({
    secret: config.INTERNAL_SECRET,
    hosts: ['localhost', '127.0.0.1', '::1', config.INTERNAL_HOST],
    allowedHosts: config.INTERNAL_ALLOWED_HOSTS,
  });
  return { endpoints: makeInternalEndpoints(container, config.INTERNAL_SECRET !== undefined), guard };
}

/** The fields of an error and of its causes that may be logged: type, message and stack, but no attached data. */
export function describeFailure(error: unknown): object {
  if (!(error instanceof Error)) return { message: 'not an Error was thrown' };
  const { name, message, stack, cause } = error;
  const described = { type: name, message, stack: stack && withSourceLines(stack) };
  return cause === undefined ? described : { ...described, cause: describeFailure(cause) };
}
