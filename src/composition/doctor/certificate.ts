import { X509Certificate } from 'node:crypto';
import { statSync } from 'node:fs';
import { MILLISECONDS } from '../../domain/time.js';
import type { Config } from '../config.js';
import { readTlsFiles } from '../settings/tls-files.js';
import { countText, dateText, fail, type Finding, ok, warn } from './findings.js';

/** Milliseconds before its expiry at which a certificate should have been renewed. Let's Encrypt's are renewed 30 days before. */
const RENEWAL = 14 * MILLISECONDS.day;
const OTHERS = 0o007;

/**
 * Whether the certificate is valid, and the one that the service uses.
 *
 * @param served the SHA-256 fingerprint of the certificate of the running service; undefined if none runs with TLS
 * @throws Error that names the setting and the file if one cannot be read, or if they do not belong together
 */
export function checkCertificate(
  config: Config,
  now: number,
  served: string | undefined,
): readonly Finding[] {
  const pair = readTlsFiles(config);
  if (pair === undefined) return [];
  const { EXTERNAL_TLS_CERT: file, EXTERNAL_TLS_KEY: keyFile = '' } = config;
  const { validFromDate, validToDate, fingerprint256 } = datesOf(new X509Certificate(pair.cert));
  const left = validToDate - now;
  const reload = 'then reload the service (systemctl reload weatherd, or SIGHUP)';
  const renew = `renew it, ${reload}`;
  if (left <= 0) return [fail('certificate', `${file} has expired on ${dateText(validToDate)}: ${renew}.`)];
  if (validFromDate > now)
    return [fail('certificate', `${file} is not valid before ${dateText(validFromDate)}: check the clock.`)];
  const days = countText(Math.floor(left / MILLISECONDS.day), 'day');
  const findings: Finding[] = [];
  if (left < RENEWAL) findings.push(warn('certificate', `${file} expires in ${days}: ${renew}.`));
  if (served !== undefined && served !== fingerprint256)
    findings.push(
      warn(
        'certificate',
        `The service uses another certificate than ${file}: reload it (systemctl reload weatherd, or SIGHUP).`,
      ),
    );
  if ((statSync(keyFile).mode & OTHERS) !== 0)
    findings.push(
      warn('certificate', `${keyFile} can be read by every user of this machine: chmod o= ${keyFile}`),
    );
  return findings.length > 0 ? findings : [ok('certificate', `${file} is valid for ${days}.`)];
}

function datesOf({ validFrom, validTo, fingerprint256 }: X509Certificate) {
  return { validFromDate: Date.parse(validFrom), validToDate: Date.parse(validTo), fingerprint256 };
}
