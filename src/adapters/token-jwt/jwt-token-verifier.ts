import jwt from 'jsonwebtoken';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Clock } from '#application/ports/clock.js';
import type { TokenVerifier } from '#application/ports/token-verifier.js';
import { BASIC_TOKEN_LEVEL, ELEVATED_TOKEN_LEVEL, type TokenGrant } from '#domain/accounts/access-token.js';
import { DomainError } from '#domain/domain-error.js';
import { AUDIENCE, ISSUER, TYPE } from './jwt-token-issuer.js';
import { ALGORITHM } from './key-pair.js';
import type { KeyRing } from './key-ring.js';

/** Largest number of characters of a token. The tokens of this service have about 500 characters. */
const MAX_LENGTH = 2048;
/** Largest number of tokens whose verified signature is cached: about 5 MB. */
const MAX_CACHED = 5000;
/** Largest difference in seconds between the clocks of two instances. */
const CLOCK_TOLERANCE = 5;

/** A JWT: three parts in base64url without padding (RFC 7515, section 2). An ES256 signature has 86 characters. */
const FORM = /^[\w-]+\.[\w-]+\.[\w-]{86}$/;

/**
 * The only accepted members of the header of a token. `crit` and all members that contain or locate a key (`jwk`, `jku`, `x5c`,
 * `x5u`) are refused (RFC 8725, sections 3.1 and 3.10).
 */
const header = z.strictObject({
  alg: z.literal(ALGORITHM),
  typ: z.literal(TYPE),
  kid: z.string(),
});

const seconds = z.int().nonnegative();
const claims = z.object({
  iss: z.literal(ISSUER),
  aud: z.literal(AUDIENCE),
  sub: z.string().min(1),
  iat: seconds,
  nbf: seconds,
  exp: seconds,
  jti: z.string().min(1),
  sid: z.string().min(1),
  token_level: z.literal([BASIC_TOKEN_LEVEL, ELEVATED_TOKEN_LEVEL]),
});

/** Verifies the tokens of JwtTokenIssuer and refuses all other tokens. Verified tokens are cached. */
export class JwtTokenVerifier implements TokenVerifier {
  readonly #keys: KeyRing;
  readonly #clock: Clock;
  readonly #known = new LRUCache<string, { readonly grant: TokenGrant; readonly keyId: string }>({
    max: MAX_CACHED,
  });
  #version = '';

  constructor(keys: KeyRing, clock: Clock) {
    this.#keys = keys;
    this.#clock = clock;
  }

  async verify(token: string): Promise<TokenGrant> {
    const version = await this.#keys.version();
    if (version !== this.#version) {
      this.#known.clear();
      this.#version = version;
    }
    let known = this.#known.get(token);
    if (known === undefined) {
      known = await this.#read(token);
      this.#known.set(token, known);
    } else if ((await this.#keys.verifier(known.keyId)) === undefined) {
      throw invalid();
    }
    this.#assertCurrent(known.grant);
    return known.grant;
  }

  #assertCurrent({ validFrom, validTo }: TokenGrant): void {
    const now = this.#clock.now() / 1000;
    if (now < validFrom - CLOCK_TOLERANCE || now >= validTo) throw invalid();
  }

  async #read(token: string): Promise<{ grant: TokenGrant; keyId: string }> {
    if (token.length > MAX_LENGTH || !FORM.test(token) || !isCanonical(token)) throw invalid();
    const [headText = '', claimsText = ''] = token.split('.');
    const head = header.safeParse(parsePart(headText));
    const key =
      head.success && parsePart(claimsText) !== undefined
        ? await this.#keys.verifier(head.data.kid)
        : undefined;
    if (key === undefined) throw invalid();
    let payload: unknown;
    try {
      payload = jwt.verify(token, key.pair.publicKey, {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        audience: AUDIENCE,
        clockTimestamp: Math.floor(this.#clock.now() / 1000),
        clockTolerance: CLOCK_TOLERANCE,
      });
    } catch {
      // Every failure gives the same error. jsonwebtoken distinguishes expired tokens from forged tokens, but the caller must not
      // learn the difference.
      throw invalid();
    }
    const read = claims.safeParse(payload);
    if (!read.success) throw invalid();
    const { sub, iat, nbf, exp, jti, sid, token_level: level } = read.data;
    if (iat > this.#clock.now() / 1000 + CLOCK_TOLERANCE) throw invalid();
    const grant = { tokenId: jti, subject: sub, sessionId: sid, level, validFrom: nbf, validTo: exp };
    return { grant, keyId: key.id };
  }
}

function isCanonical(token: string): boolean {
  return token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
}

/**
 * Parses the header or the claims of a token. Returns undefined unless the text is exactly what JSON.stringify writes. Duplicate
 * keys are thus refused, because two parsers may use different values of a duplicate key (RFC 8725, section 2.6).
 */
function parsePart(part: string): unknown {
  const text = Buffer.from(part, 'base64url').toString();
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}

function invalid(): DomainError {
  return new DomainError('AUTH_TOKEN_INVALID', 'The token is invalid or has expired. Sign in again.');
}
