import { X509Certificate } from 'node:crypto';
import { statSync } from 'node:fs';
import { MILLISECONDS } from '#domain/time.js';
import type { Config } from '../config.js';
import { expiryFault, readTlsFiles, RENEW } from '../settings/tls-files.js';
import { countText, fail, type Finding, ok, warn } from './findings.js';

/**
 * A certificate should be renewed at least this number of milliseconds before it expires. If less time is left, the check warns.
 * For comparison: Let's Encrypt certificates are usually renewed 30 days before they expire.
 */
const RENEWAL = 14 * MILLISECONDS.day;
const OTHERS = 0o007;

/**
 * Checks whether the certificate is valid, and whether the running service uses it.
 *
 * @param served the SHA-256 fingerprint of the certificate of the running service; undefined if no service runs with TLS
 * @throws Error that names the setting and the file if a file cannot be read, or if certificate and key do not belong together
 */
export function checkCertificate(
  config: Config,
  now: number,
  served: string | undefined,
): readonly Finding[] {
  const pair = readTlsFiles(config);
  if (pair === undefined) return [];
  const { EXTERNAL_TLS_CERT: file = '', EXTERNAL_TLS_KEY: keyFile = '' } = config;
  const fault = expiryFault(pair, file, now);
  if (fault !== undefined) return [fail('certificate', `${fault}.`)];
  const { validTo, fingerprint256 } = new X509Certificate(pair.cert);
  const left = Date.parse(validTo) - now;
  const days = countText(Math.floor(left / MILLISECONDS.day), 'day');
  const findings: Finding[] = [];
  if (left < RENEWAL) findings.push(warn('certificate', `${file} expires in ${days}: ${RENEW}.`));
  if (served !== undefined && served !== fingerprint256)
    findings.push(
      warn(
        'certificate',
        `The service uses another certificate than ${file}: reload the service (systemctl reload weatherd, or SIGHUP).`,
      ),
    );
  if ((statSync(keyFile).mode & OTHERS) !== 0)
    findings.push(
      warn('certificate', `${keyFile} can be read by every user of this machine: chmod o= ${keyFile}`),
    );
  return findings.length > 0 ? findings : [ok('certificate', `${file} is valid for ${days}.`)];
}
