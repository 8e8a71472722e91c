import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The configuration of `openssl ca`, which can make certificates of the past. */
const AUTHORITY = `[ca]
default_ca = own
[own]
dir = .
database = index
new_certs_dir = .
serial = serial
default_md = sha256
policy = any
copy_extensions = copy
[any]
commonName = supplied
`;

/**
 * Creates a self-signed certificate with the openssl command.
 *
 * @param name the host name of the certificate
 * @param hasExpired whether it was valid in the past only
 */
export function makeCertificate(
  folder: string,
  { name = 'localhost', hasExpired = false } = {},
): [cert: string, key: string] {
  const run = (...parameters: string[]) =>
    execFileSync('openssl', parameters, { cwd: folder, stdio: 'ignore' });
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
  const algorithm = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', 'key.pem'];
  if (hasExpired) {
    for (const [file, text] of [
      ['ca.cnf', AUTHORITY],
      ['index', ''],
      ['serial', '01\n'],
    ] as const)
      writeFileSync(join(folder, file), text);
    run('req', ...algorithm, ...subject, '-out', 'request.pem');
    const past = ['-startdate', '20200101000000Z', '-enddate', '20200201000000Z'];
    const files = ['-in', 'request.pem', '-out', 'cert.pem', '-keyfile', 'key.pem', '-notext'];
    run('ca', '-config', 'ca.cnf', '-batch', '-selfsign', ...past, ...files);
  } else run('req', '-x509', '-days', '1', ...algorithm, ...subject, '-out', 'cert.pem');
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  return [read('cert.pem'), read('key.pem')];
}
