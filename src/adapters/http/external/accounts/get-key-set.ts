import { z } from 'zod';
import { GetKeySet } from '#application/accounts/keys/get-key-set.js';
import { type AnyEndpoint, documentEndpoint } from '../../core/endpoint.js';
import type { ExternalContext } from '../external-context.js';

/**
 * Seconds for which clients may cache the keys. The number must be less than the time between the publication of a key and the
 * first signature with this key.
 */
export const KEY_SET_MAX_AGE = 300;

const publicKey = z.strictObject({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.base64url(),
  y: z.base64url(),
  kid: z.string().describe('Id of the key, as in the header of tokens'),
  alg: z.literal('ES256'),
  use: z.literal('sig'),
});

const REPLY = z.strictObject({ keys: z.array(publicKey) });

export function getKeySetEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const getKeySet = useCase(GetKeySet);
  return documentEndpoint({
    method: 'GET',
    path: '/v1/auth/keys',
    summary: 'Get the public keys',
    description:
      'The public keys as a JSON Web Key Set (RFC 7517). Other programs can verify tokens with them.',
    access: 'public',
    success: {
      kind: 'document',
      status: 200,
      description: 'The keys whose signatures are valid now or later.',
      schema: REPLY,
      cacheControl: `public, max-age=${KEY_SET_MAX_AGE}`,
    },
    errors: ['SIGNING_KEY_UNAVAILABLE'],
    call: () => getKeySet.execute(),
  });
}
