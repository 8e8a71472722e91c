import type { Container } from 'inversify';
import type { AnyEndpoint } from '#adapters/http/core/endpoint.js';
import { ELEVATED_ADMINISTRATOR, type ReadAccess, SIGNED_IN } from '#adapters/http/external/access.js';
import type { DialectContext } from '#adapters/http/external/dialect.js';
import { dialectEndpoints } from '#adapters/http/external/dialects.js';
import { openMeteoRoutes } from '#adapters/http/external/open-meteo/index.js';
import type { SetupAccess, UploadsControl } from '#adapters/http/external/external-context.js';
import { externalEndpoints } from '#adapters/http/external/index.js';
import { TextThreads } from '#adapters/http/external/observations/text-threads.js';
import { permitsOf } from '#adapters/http/external/read-permits.js';
import { BulkGate } from '#adapters/http/internal/bulk-gate.js';
import { internalEndpoints } from '#adapters/http/internal/index.js';
import { ReadGate } from '#application/observations/read/gate/read-gate.js';
import { type FeelsLikeName, feelsLikeBy } from '#domain/weather/derived/comfort/feels-like.js';
import type { UploadReach } from '#application/uploads/setup/upload-addresses.js';
import type { Config } from '../config.js';
import { readCHeader, PACKAGE_INFO } from '../package-info.js';
import * as tokens from '../graph/tokens.js';
import { DEFAULT_FEELS_LIKE, DEFAULT_IMPORT_LIMIT } from '../settings/settings.js';
import { useCaseOf } from '../graph/wiring.js';

/**
 * Creates the endpoints of the external API with the use-cases of `container`.
 *
 * @param readAccess the access to weather data
 * @param uploadReach describes how the consoles of weather stations reach the listener for uploads
 * @param setup how a visitor of this machine makes the first administrator; undefined if the service does not offer this
 * @param importLimit largest file that can be imported, in bytes
 * @param feelsLike name of the quantity that is shown as what the air feels like
 * @param uploads shows and changes the setting of uploads; that of the service if absent
 */
export function makeExternalEndpoints(
  container: Container,
  readAccess: Config['READ_ACCESS'],
  uploadReach: () => UploadReach,
  setup?: SetupAccess,
  importLimit: number = DEFAULT_IMPORT_LIMIT,
  feelsLike: FeelsLikeName = DEFAULT_FEELS_LIKE,
  uploads: UploadsControl = container.get(tokens.UploadsControl),
): readonly AnyEndpoint[] {
  return externalEndpoints({
    ...readContext(container, readAccess, feelsLike),
    name: 'external',
    checksAccess: ELEVATED_ADMINISTRATOR,
    uploadReach,
    uploads,
    setup,
    importLimit,
    importFormats: container.get(tokens.ImportFormatList),
  });
}

/** The settings of the dialects. */
interface DialectSettings extends Pick<DialectContext, 'openMeteoRadius' | 'addressOf'> {
  readonly feelsLike: FeelsLikeName;
}

/** Creates the endpoints of the dialects, which the external API serves too. */
export function makeDialectEndpoints(
  container: Container,
  readAccess: Config['READ_ACCESS'],
  settings: DialectSettings,
): readonly AnyEndpoint[] {
  return dialectEndpoints(dialectContext(container, readAccess, settings));
}

/** Creates the endpoints of the listener that has the routes of Open-Meteo at its root. */
export function makeOpenMeteoEndpoints(
  container: Container,
  readAccess: Config['READ_ACCESS'],
  settings: DialectSettings,
): readonly AnyEndpoint[] {
  return openMeteoRoutes(dialectContext(container, readAccess, settings), '');
}

function dialectContext(
  container: Container,
  readAccess: Config['READ_ACCESS'],
  { feelsLike, ...settings }: DialectSettings,
): DialectContext {
  return { ...readContext(container, readAccess, feelsLike), ...settings };
}

/** What the reads of the external API need. */
function readContext(
  container: Container,
  readAccess: Config['READ_ACCESS'],
  feelsLike: FeelsLikeName,
): Omit<DialectContext, 'openMeteoRadius' | 'addressOf'> {
  return {
    version: PACKAGE_INFO.version,
    useCase: useCaseOf(container),
    readAccess: readAccessOf(readAccess),
    withPermit: permitsOf(container.get(ReadGate)),
    textThreads: container.get(TextThreads),
    feelsLike: feelsLikeBy(feelsLike),
  };
}

/** The token that routes with weather data require. */
export function readAccessOf(readAccess: Config['READ_ACCESS']): ReadAccess {
  return readAccess === 'token' ? SIGNED_IN : 'optional-token';
}

/**
 * Creates the endpoints of the internal API with the use-cases of `container`.
 *
 * @param secured whether callers must send the internal secret
 */
export function makeInternalEndpoints(container: Container, secured: boolean): readonly AnyEndpoint[] {
  return internalEndpoints({
    name: 'internal',
    version: PACKAGE_INFO.version,
    useCase: useCaseOf(container),
    checksAccess: 'public',
    secured,
    header: readCHeader(),
    gate: container.get(BulkGate),
    metrics: () => container.get(tokens.ServiceMetrics).collect(),
  });
}
