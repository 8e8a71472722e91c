import { type Config, isLoopback } from './settings.js';

/** Whether clients use TLS for the external API or for a proxy in front of it. */
export function hasTls(config: Config): boolean {
  return config.EXTERNAL_TLS_CERT !== undefined || config.EXTERNAL_TLS_TERMINATED;
}

/** Whether other machines reach the external API over plain HTTP (WEATHERD_EXTERNAL_INSECURE). The API then only allows reading. */
export function isReadOnlyWithoutTls(config: Config): boolean {
  return config.EXTERNAL_INSECURE && !isLoopback(config.EXTERNAL_HOST) && !hasTls(config);
}
