import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { TlsPair } from '../../adapters/http/server/tls.js';
import type { Config } from '../config.js';

const CERT = 'WEATHERD_EXTERNAL_TLS_CERT';
const KEY = 'WEATHERD_EXTERNAL_TLS_KEY';

/**
 * Reads the configured certificate and private key (PEM); undefined if none is configured.
 *
 * @throws Error that names the setting and the file if one cannot be read or is not PEM, or if they do not belong
 *   together
 */
export function readTlsFiles(
  config: Pick<Config, 'EXTERNAL_TLS_CERT' | 'EXTERNAL_TLS_KEY'>,
): TlsPair | undefined {
  const { EXTERNAL_TLS_CERT: certFile, EXTERNAL_TLS_KEY: keyFile } = config;
  if (certFile === undefined || keyFile === undefined) return undefined;
  const cert = attempt(CERT, () => readFileSync(certFile, 'utf8'));
  const key = attempt(KEY, () => readFileSync(keyFile, 'utf8'));
  const certificate = attempt(
    CERT,
    () => new X509Certificate(cert),
    `${certFile} holds no certificate in PEM`,
  );
  const privateKey = attempt(KEY, () => createPrivateKey(key), `${keyFile} holds no private key in PEM`);
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new Error(`${KEY}: ${keyFile} is not the key of the certificate in ${certFile} (${CERT})`);
  }
  attempt(CERT, () => createSecureContext({ cert, key }), `${certFile} and ${keyFile} cannot be used`);
  return { cert, key };
}

/**
 * Reads the certificates (PEM) that sign that of the MQTT broker; undefined if none are configured.
 *
 * @throws Error that names the setting if the file cannot be read or is not PEM
 */
export function readBrokerCa({ MQTT_CA: file }: Pick<Config, 'MQTT_CA'>): string | undefined {
  if (file === undefined) return undefined;
  const ca = attempt('WEATHERD_MQTT_CA', () => readFileSync(file, 'utf8'));
  attempt('WEATHERD_MQTT_CA', () => new X509Certificate(ca), `${file} holds no certificate in PEM`);
  return ca;
}

function attempt<T>(setting: string, work: () => T, fault?: string): T {
  try {
    return work();
  } catch (error) {
    // The message of OpenSSL does not help the operator.
    throw new Error(`${setting}: ${fault ?? (error as Error).message}`, { cause: error });
  }
}
