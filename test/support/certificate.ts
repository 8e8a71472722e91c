import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Creates a self-signed certificate for localhost with the openssl command. */
export function makeCertificate(folder: string): [cert: string, key: string] {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const algorithm = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  execFileSync(
    'openssl',
    ['req', '-x509', '-days', '1', ...algorithm, ...subject, '-keyout', key, '-out', cert],
    {
      stdio: 'ignore',
    },
  );
  return [readFileSync(cert, 'utf8'), readFileSync(key, 'utf8')];
}
