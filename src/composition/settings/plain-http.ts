import { type Config, isLoopback } from './settings.js';

/** Whether clients speak TLS to the external API, or to a proxy before it. */
export function hasTls(config: Config): boolean {
  return config.EXTERNAL_TLS_CERT !== undefined || config.EXTERNAL_TLS_TERMINATED;
}

/** Whether other machines reach the external API over plain HTTP, as WEATHERD_EXTERNAL_INSECURE allows. It is for reading only then. */
export function isReadOnlyWithoutTls(config: Config): boolean {
  return config.EXTERNAL_INSECURE && !isLoopback(config.EXTERNAL_HOST) && !hasTls(config);
}
