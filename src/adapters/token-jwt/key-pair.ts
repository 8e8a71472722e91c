import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import type { PublicKey } from '#application/ports/signing-keys.js';

/** The algorithm of every token (RFC 7518): ECDSA on P-256 with SHA-256. */
export const ALGORITHM = 'ES256';

/** A parsed private key, with its public key. */
export interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly description: PublicKey;
}

/** Creates a private key, as PKCS #8 in PEM. */
export function generateKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
}

/** @throws Error if the text is not a private key of P-256 */
export function parseKey(pem: string): KeyPair {
  const privateKey = createPrivateKey(pem);
  if (privateKey.asymmetricKeyDetails?.namedCurve !== 'prime256v1') {
    throw new Error('the signing key is not a P-256 private key');
  }
  const publicKey = createPublicKey(privateKey);
  const { crv = '', kty = '', x = '', y = '' } = publicKey.export({ format: 'jwk' });
  // The thumbprint of the key (RFC 7638, section 3) needs exactly these members, in this order, without white space.
  const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
  return { privateKey, publicKey, description: { kty, crv, x, y, kid, alg: ALGORITHM, use: 'sig' } };
}
