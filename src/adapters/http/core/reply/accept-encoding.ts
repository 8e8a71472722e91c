import Negotiator from 'negotiator';

/**
 * The content codings (RFC 9110, section 8.4.1), the preferred one first. At the levels used here, Brotli gives smaller replies
 * than gzip and is faster.
 */
const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

/** The content coding that is chosen from the header `Accept-Encoding`. */
export interface AcceptedCoding {
  /** Undefined if the reply is sent uncompressed. */
  readonly coding: Coding | undefined;
  /** Whether the client accepts a coding but refuses uncompressed bytes (`identity;q=0`). */
  readonly isRequired: boolean;
}

/** The choice if the request has no `Accept-Encoding`: no coding, because the client may support none. */
const NONE: AcceptedCoding = { coding: undefined, isRequired: false };

/**
 * Largest number of values of `Accept-Encoding` in the cache. Clients of one kind send the same value, and parsing a value takes
 * 2 µs.
 */
const MAX_CACHED = 64;
const cache = new Map<string, AcceptedCoding>();

/**
 * Chooses the coding of a reply (RFC 9110, section 12.5.3). If the client accepts no coding and refuses `identity` too, the bytes
 * are sent uncompressed.
 */
export function acceptedCoding(header: string | undefined): AcceptedCoding {
  if (header === undefined) return NONE;
  const cached = cache.get(header);
  if (cached !== undefined) return cached;
  const accepted = choose(header);
  if (cache.size === MAX_CACHED) cache.clear();
  cache.set(header, accepted);
  return accepted;
}

function choose(header: string): AcceptedCoding {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } }) as Negotiator & Preferring;
  const accepted = negotiator.encodings([...CODINGS, 'identity'], { preferred: CODINGS });
  const coding = CODINGS.find((name) => name === accepted[0]);
  return { coding, isRequired: coding !== undefined && !accepted.includes('identity') };
}

/**
 * The option `preferred` of negotiator: the order of codings of equal weight. The type declarations of the package lack the
 * option.
 */
interface Preferring {
  encodings(available: string[], options: { readonly preferred: readonly string[] }): string[];
}
