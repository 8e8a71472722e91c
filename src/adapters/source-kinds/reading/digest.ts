import { createHash, randomBytes } from 'node:crypto';

/** Parameters of a challenge: `name="value"` or `name=value`. */
const PARAMETER = /[\s,]([a-z]{1,16})=(?:"([^"]{0,512})"|([^\s,"]{1,512}))/gi;

/**
 * The header `Authorization` that answers a challenge of digest authentication (RFC 7616) with SHA-256 and `qop=auth`.
 *
 * @param challenge the header `WWW-Authenticate`
 * @param path path and query of the request
 * @param cnonce a number that is used once; tests give it
 * @returns undefined for another challenge
 */
export function digestAuthorization(
  challenge: string,
  { user, password, method, path }: Readonly<Record<'user' | 'password' | 'method' | 'path', string>>,
  cnonce = randomBytes(16).toString('hex'),
): string | undefined {
  if (!/^digest\s/i.test(challenge)) return undefined;
  const { realm, nonce, qop = '', algorithm = '', opaque } = parametersOf(challenge);
  const qops = qop.split(',').map((one) => one.trim());
  const isKnown = algorithm.toUpperCase() === 'SHA-256' && qops.includes('auth');
  if (realm === undefined || nonce === undefined || !isKnown) return undefined;
  const count = '00000001';
  const secret = sha256(`${user}:${realm}:${password}`);
  const response = sha256(`${secret}:${nonce}:${count}:${cnonce}:auth:${sha256(`${method}:${path}`)}`);
  const quoted = {
    username: user,
    realm,
    nonce,
    uri: path,
    cnonce,
    response,
    ...(opaque !== undefined && { opaque }),
  };
  const parts = Object.entries(quoted).map(([name, value]) => `${name}="${value}"`);
  return `Digest ${[...parts, 'algorithm=SHA-256', 'qop=auth', `nc=${count}`].join(', ')}`;
}

function parametersOf(challenge: string): Readonly<Partial<Record<string, string>>> {
  return Object.fromEntries(
    [...challenge.matchAll(PARAMETER)].map(([, name = '', quoted, bare]) => [
      name.toLowerCase(),
      quoted ?? bare,
    ]),
  );
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
