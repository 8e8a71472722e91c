import type { Container } from 'inversify';
import type { ApiDefinition } from '#adapters/http/core/api-definition.js';
import type { AnyEndpoint } from '#adapters/http/core/endpoint.js';
import { compileApi } from '#adapters/http/core/api.js';
import { withSideRoutes } from '#adapters/http/core/side-route.js';
import type { Page } from '#adapters/http/core/pages/page.js';
import type { Mounted } from '#adapters/http/core/transport.js';
import { externalHeaders } from '#adapters/http/external/headers.js';
import { publicReadsOnly, withoutSecrets } from '#adapters/http/external/without-tls.js';
import { uploadKeyAccess } from '#adapters/http/external/upload-key-access.js';
import { requestLimit } from '#adapters/http/external/request-limit.js';
import { internalGuard } from '#adapters/http/internal/guard.js';
import { clientAddresses } from '#adapters/http/server/client-address.js';
import { HttpServer } from '#adapters/http/server/http-server.js';
import { BULK_LIMITS, DEFAULT_LIMITS } from '#adapters/http/server/limits.js';
import { RequestMetrics } from '#adapters/http/core/request-metrics.js';
import type { TlsPair } from '#adapters/http/server/tls.js';
import { CardPainter } from '#adapters/site/card/card-painter.js';
import type { Log } from '#adapters/log-pino/logger.js';
import { IsSetupOpen } from '#application/accounts/setup/is-setup-open.js';
import { Authorize } from '#application/accounts/sessions/authorize.js';
import { AuthorizeUploadKey } from '#application/uploads/keys/authorize-upload-key.js';
import type { ApiName } from '#application/operation/get-info.js';
import type { Config } from './config.js';
import { listening, type ListenerName } from './listening.js';
import {
  makeDialectEndpoints,
  makeExternalEndpoints,
  makeInternalEndpoints,
  makeOpenMeteoEndpoints,
  readAccessOf,
} from './modules/endpoints.js';
import { loadTransport } from './modules/transports.js';
import { packageFile } from './package-info.js';
import type { Runnable } from './runnables.js';
import { hasTls, isReadOnlyWithoutTls } from './settings/plain-http.js';
import { setupAccess } from './setup-access.js';
import { socketPath } from './settings/settings.js';
import type { UploadsSwitch } from './sources/uploads-switch.js';
import { withSourceLines } from './source-lines.js';
import { visitorCommand } from './settings/terminal-command.js';

export interface ServerSettings {
  readonly config: Config;
  readonly container: Container;
  readonly log: Log;
  /**
   * The first words of a command line that uses the data of this service, for example `WEATHERD_DATA_DIR=/srv/data weatherd`. The
   * home page may show them.
   */
  readonly command: string | undefined;
  readonly isClosing: () => boolean;
  readonly uploads: UploadsSwitch;
  /** Certificate and key of the external API; undefined without TLS. */
  readonly tls: TlsPair | undefined;
}

/** An API as a part of the service. */
export interface RunnableApi extends Runnable {
  /** The URL, which is known after the start. */
  readonly url: () => string;
  /** Applies changed settings. @param tls certificate and key for new connections; undefined without TLS */
  reload(tls: TlsPair | undefined, config: Config): void;
}

/** Creates an API that this process serves. */
export async function makeApi(name: ApiName, settings: ServerSettings): Promise<RunnableApi> {
  const { config } = settings;
  const [host, port] =
    name === 'external'
      ? [config.EXTERNAL_HOST, config.EXTERNAL_PORT]
      : [config.INTERNAL_HOST, config.INTERNAL_PORT];
  const parts = name === 'external' ? await externalApi(settings) : internalApi(settings);
  return await runnableApi(name, name, [host, port], settings, parts);
}

/**
 * Creates the listener that has the routes of Open-Meteo at its root, with the host, the certificate and the limits of the external API.
 *
 * @returns undefined if no port is set
 */
export async function makeOpenMeteoApi(settings: ServerSettings): Promise<RunnableApi | undefined> {
  const { config, container } = settings;
  if (config.OPENMETEO_PORT === undefined) return undefined;
  const { endpoints, ...rules } = externalRules(
    settings,
    makeOpenMeteoEndpoints(container, config.READ_ACCESS, dialectSettings(config)),
  );
  const place = [config.EXTERNAL_HOST, config.OPENMETEO_PORT] as const;
  return await runnableApi('openmeteo', 'external', place, settings, { ...rules, endpoints });
}

/** @param name of the listener @param api whose server, limits and metrics the listener has */
async function runnableApi(
  name: ListenerName,
  api: ApiName,
  [host, port]: readonly [host: string, port: number],
  settings: ServerSettings,
  parts: ApiParts,
): Promise<RunnableApi> {
  const server = await makeServer(api, settings, parts);
  const path = socketPath(host);
  const runnable = listening(name, host, port, {
    listen: () => (path === undefined ? server.listen(host, port) : server.listenOnSocket(path)),
    assertListening: () => server.listener.assertListening(),
    close: (deadline) => server.close(deadline),
  });
  const reload = (tls: TlsPair | undefined) => {
    if (tls !== undefined) server.setTls(tls);
  };
  return { ...runnable, reload };
}

/**
 * Creates the server of one API, with the configured transport (for example Express or Fastify), which routes the requests. The
 * server does not listen yet.
 *
 * @throws Error if the transport cannot be loaded
 */
async function makeServer(name: ApiName, settings: ServerSettings, parts: ApiParts): Promise<HttpServer> {
  const { config } = settings;
  const logger = settings.log.logger.child({ api: name });
  const isExternal = name === 'external';
  const authorize = settings.container.get(Authorize);
  const transport = await loadTransport(isExternal ? config.EXTERNAL_TRANSPORT : config.INTERNAL_TRANSPORT);
  const api = compileApi({
    ...parts,
    authorize: (token, access) => authorize.execute({ token, ...access }),
    isClosing: settings.isClosing,
    onFailure: (id, error) => logger.error({ id, err: describeFailure(error) }, 'a request has failed'),
  });
  const mounted = await transport.mount(api);
  const logRequest = settings.log.requestWriter(name);
  const countRequest = settings.container.get(RequestMetrics).of(name);
  return new HttpServer({
    api,
    mounted: isExternal ? withUploads(mounted, settings) : mounted,
    limits: isExternal ? DEFAULT_LIMITS : BULK_LIMITS,
    log: {
      request: (record) => {
        countRequest(record);
        logRequest(record);
      },
      refusal: (id, error, reason) =>
        logger.warn({ id, error, reason }, 'a request was refused, because it could not be parsed'),
      headTextRefused: () =>
        logger.info(
          'Node.js itself writes all replies, because this version writes heads in an unexpected form',
        ),
      connectionsRefused: (count) =>
        logger.warn({ count }, 'the newest connections were closed, because there were too many'),
    },
    tls: isExternal ? settings.tls : undefined,
    ...clientAddresses(config.TRUSTED_PROXIES),
  });
}

/** Adds the routes of uploads to the external API if it has TLS, for those consoles of weather stations that can use TLS. */
function withUploads(mounted: Mounted, { config, uploads }: ServerSettings): Mounted {
  return hasTls(config) ? withSideRoutes(mounted, (target) => uploads.find(target)) : mounted;
}

type ApiParts = Pick<ApiDefinition, 'endpoints' | 'pages' | 'guard' | 'headers' | 'uploadKeys'>;

async function externalApi(settings: ServerSettings): Promise<ApiParts> {
  const { config, container, command, uploads } = settings;
  const endpoints = [
    ...makeExternalEndpoints(
      container,
      config.READ_ACCESS,
      () => uploads.reach,
      setupAccess(config),
      config.IMPORT_LIMIT,
      config.FEELS_LIKE,
    ),
    ...makeDialectEndpoints(container, config.READ_ACCESS, dialectSettings(config)),
  ];
  return {
    ...externalRules(settings, endpoints),
    pages: config.SITE ? await sitePages(config, container, command) : [],
    uploadKeys: uploadKeyAccess(container.get(AuthorizeUploadKey)),
  };
}

/** The rules of the external API about origins, rates and plain HTTP, for its endpoints. */
function externalRules(
  { config, log }: ServerSettings,
  endpoints: readonly AnyEndpoint[],
): Pick<ApiParts, 'endpoints' | 'guard' | 'headers'> {
  const headers = externalHeaders({
    allowedOrigins: config.EXTERNAL_ALLOWED_ORIGINS,
    tls: hasTls(config),
    onRefused: (origin) =>
      log.logger.warn(
        { api: 'external', origin },
        'a web page of this origin may not read the replies; to allow it, add the origin to WEATHERD_EXTERNAL_ALLOWED_ORIGINS',
      ),
  });
  const limit = requestLimit(config.RATE_LIMIT);
  const isReadOnly = isReadOnlyWithoutTls(config);
  const guard = isReadOnly ? withoutSecrets(limit) : limit;
  return {
    endpoints: isReadOnly ? publicReadsOnly(endpoints) : endpoints,
    headers,
    ...(guard && { guard }),
  };
}

/**
 * The settings of the dialects. Links in their replies begin with `WEATHERD_PUBLIC_URL`, which knows the path that a proxy adds, or else
 * with the scheme of the service and the `Host` of the request.
 */
function dialectSettings(config: Config) {
  const { FEELS_LIKE: feelsLike, OPENMETEO_RADIUS: openMeteoRadius, PUBLIC_URL: publicUrl } = config;
  const scheme = hasTls(config) ? 'https' : 'http';
  return { feelsLike, openMeteoRadius, addressOf: (host: string) => publicUrl ?? `${scheme}://${host}` };
}

/** The pages of the site, which the HTTP adapter serves beside the external API. */
async function sitePages(
  config: Config,
  container: Container,
  command: string | undefined,
): Promise<readonly Page[]> {
  const { openSite } = await import('#adapters/site/site.js');
  const { coastPage } = await import('#adapters/site/coast-page.js');
  const { streetMapPage } = await import('#adapters/site/street-map-page.js');
  const isTrusted = !isReadOnlyWithoutTls(config);
  const facts = {
    publicReads: config.READ_ACCESS === 'public',
    signIn: config.AUTH_ENABLED && isTrusted,
    streetMap: config.SITE_MAP !== undefined,
    command: visitorCommand(config, command),
  };
  const isSetupOpen = container.get(IsSetupOpen);
  const { PackedLand } = await import('#adapters/geography/packed-land.js');
  const land = new PackedLand(packageFile('dist/service/land.json.br'));
  const pages = await openSite(packageFile('dist/site/'), facts, container.get(CardPainter), {
    hasTls: hasTls(config),
    isTrusted,
    ...(setupAccess(config) !== undefined && { isSetupOpen: () => isSetupOpen.execute() }),
  });
  const access = readAccessOf(config.READ_ACCESS);
  const mapPages = [
    coastPage((box, network) => land.inBox(box, network)),
    ...(config.SITE_MAP === undefined ? [] : [streetMapPage(config.SITE_MAP, facts.publicReads)]),
  ];
  return [...pages, ...mapPages].map((page) => (page.readsAsUser === true ? { ...page, access } : page));
}

function internalApi({ config, container }: ServerSettings): ApiParts {
  const guard = internalGuard({
    secret: config.INTERNAL_SECRET,
    hosts: ['localhost', '127.0.0.1', '::1', config.INTERNAL_HOST],
    allowedHosts: config.INTERNAL_ALLOWED_HOSTS,
  });
  return { endpoints: makeInternalEndpoints(container, config.INTERNAL_SECRET !== undefined), guard };
}

/**
 * The fields of an error and of its causes that may be logged: type, message and stack. No other field is logged, because it may
 * contain personal data.
 */
export function describeFailure(error: unknown): object {
  if (!(error instanceof Error)) return { message: 'the thrown value is not an Error' };
  const { name, message, stack, cause } = error;
  const described = { type: name, message, stack: stack && withSourceLines(stack) };
  return cause === undefined ? described : { ...described, cause: describeFailure(cause) };
}
