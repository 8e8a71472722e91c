import Negotiator from 'negotiator';

/** The content codings (RFC 9110, section 8.4.1), the preferred one first. Brotli is smaller and faster at the levels used here. */
const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

/** The choice that follows from `Accept-Encoding`. */
export interface AcceptedCoding {
  /** Undefined if the reply is sent uncompressed. */
  readonly coding: Coding | undefined;
  /** Whether the client accepts a coding but refuses uncompressed bytes (`identity;q=0`). */
  readonly isRequired: boolean;
}

/** The choice without the header: the client may support no coding. */
const NONE: AcceptedCoding = { coding: undefined, isRequired: false };

/** Largest number of cached headers. Clients of one kind send the same text, and parsing it takes 2 µs. */
const MAX_CACHED = 64;
const cache = new Map<string, AcceptedCoding>();

/** Chooses the coding of a reply (RFC 9110, section 12.5.3). If the client accepts nothing, the bytes are sent uncompressed. */
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

/** The option for the order of codings of equal weight. The type declarations of the package do not have it yet. */
interface Preferring {
  encodings(available: string[], options: { readonly preferred: readonly string[] }): string[];
}
