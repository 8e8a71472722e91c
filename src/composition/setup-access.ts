import type { SetupAccess } from '#adapters/http/external/external-context.js';
import { isLocalVisitor } from '#adapters/site/local-visitor.js';
import type { Config } from './config.js';
import { isLoopback } from './settings/settings.js';

/**
 * How a visitor of this machine makes the first administrator in the browser. Undefined if the service does not offer this,
 * because other machines or a proxy reach the external API. A proxy on this machine would make remote visitors look local.
 */
export function setupAccess(config: Config): SetupAccess | undefined {
  const { EXTERNAL_HOST: host, TRUSTED_PROXIES: proxies } = config;
  const isDirect = proxies.length === 0 && !config.EXTERNAL_TLS_TERMINATED;
  if (!config.SITE || !config.AUTH_ENABLED || !isLoopback(host) || !isDirect) return undefined;
  return {
    isLocal: (address, headers) => address !== null && isLoopback(address) && isLocalVisitor(headers),
    scheme: config.EXTERNAL_TLS_CERT === undefined ? 'http' : 'https',
  };
}
