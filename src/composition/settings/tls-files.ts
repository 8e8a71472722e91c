import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { TlsPair } from '#adapters/http/server/tls.js';
import type { Config } from '../config.js';
import { attempt, readCertificate } from './certificate-file.js';

const CERT = 'WEATHERD_EXTERNAL_TLS_CERT';
const KEY = 'WEATHERD_EXTERNAL_TLS_KEY';

/** The advice for a certificate that has expired or will expire soon. */
export const RENEW = 'renew it, then reload the service (systemctl reload weatherd, or SIGHUP)';

/**
 * Reads the configured certificate and private key (PEM); undefined if none is configured.
 *
 * @throws Error that names the setting and the file if a file cannot be read or is not PEM, or if the two files do not belong
 *   together
 */
export function readTlsFiles(
  config: Pick<Config, 'EXTERNAL_TLS_CERT' | 'EXTERNAL_TLS_KEY'>,
): TlsPair | undefined {
  const { EXTERNAL_TLS_CERT: certFile, EXTERNAL_TLS_KEY: keyFile } = config;
  if (certFile === undefined || keyFile === undefined) return undefined;
  const { pem: cert, certificate } = readCertificate(CERT, certFile);
  const key = attempt(KEY, keyFile, () => readFileSync(keyFile, 'utf8'));
  const keyFault = key.includes('ENCRYPTED')
    ? 'contains a private key with a passphrase: remove the passphrase with openssl pkey'
    : 'does not contain a private key in PEM: name the file of the key';
  const privateKey = attempt(KEY, keyFile, () => createPrivateKey(key), keyFault);
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new Error(
      `${KEY}: ${keyFile} is not the key of the certificate in ${certFile} (${CERT}): name two files that belong together`,
    );
  }
  const pairFault = `and ${keyFile} cannot be used: create a new certificate and a new key`;
  attempt(CERT, certFile, () => createSecureContext({ cert, key }), pairFault);
  return { cert, key };
}

/**
 * Describes a fault of the dates of a certificate, with advice; undefined if the certificate is valid now.
 *
 * @param file the file of the certificate
 * @param now milliseconds since 1970-01-01T00:00:00Z
 */
export function expiryFault({ cert }: TlsPair, file: string, now: number): string | undefined {
  const { validFrom, validTo } = new X509Certificate(cert);
  const day = (text: string) => new Date(text).toISOString().replace(/T.*/, '');
  if (Date.parse(validTo) <= now) return `${file} has expired on ${day(validTo)}: ${RENEW}`;
  return Date.parse(validFrom) > now
    ? `${file} is not valid before ${day(validFrom)}: check the clock`
    : undefined;
}
