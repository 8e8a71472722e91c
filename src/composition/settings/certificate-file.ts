import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { reasonAt } from '../reason.js';

/**
 * Reads a file of certificates (PEM). `certificate` is the first one.
 *
 * @param setting the setting that names the file
 * @throws Error that names the setting and the file if the file cannot be read or is not PEM
 */
export function readCertificate(
  setting: string,
  file: string,
): { readonly pem: string; readonly certificate: X509Certificate } {
  const pem = attempt(setting, file, () => readFileSync(file, 'utf8'));
  const certificate = attempt(
    setting,
    file,
    () => new X509Certificate(pem),
    'does not contain a certificate in PEM: name the file of the certificate',
  );
  return { pem, certificate };
}

/** Reads the certificates that sign the certificate of the MQTT broker. @throws Error as `readCertificate` */
export function readBrokerCa(file: string): string {
  return readCertificate('WEATHERD_MQTT_CA', file).pem;
}

/** The fault of the file that `readBrokerCa` reads, if it has one. */
export function brokerCaFaults(file: string): readonly string[] {
  try {
    readBrokerCa(file);
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

/** Works on a file that a setting names. @throws Error that names both if `work` fails, with the reason or with `fault` */
export function attempt<T>(setting: string, file: string, work: () => T, fault?: string): T {
  try {
    return work();
  } catch (error) {
    const reason = fault === undefined ? reasonAt(file, error) : `${file} ${fault}`;
    throw new Error(`${setting}: ${reason}`, { cause: error });
  }
}
