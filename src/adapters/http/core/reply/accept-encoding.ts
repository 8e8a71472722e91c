import Negotiator from 'negotiator';

/** The codings of replies (RFC 9110, section 8.4.1), the preferred one first: Brotli is smaller and faster at our levels. */
const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

/** The result of `Accept-Encoding`. */
export interface AcceptedCoding {
  /** Undefined if the client prefers the bytes as they are. */
  readonly coding: Coding | undefined;
  /** Whether the client accepts a coding, but not the bytes as they are (`identity;q=0`). */
  readonly isRequired: boolean;
}

/** Without the header a client may understand no coding at all. */
const NONE: AcceptedCoding = { coding: undefined, isRequired: false };

/** Clients of one kind send the same short text, so the texts that are kept are few. The parser takes 2 µs. */
const MAX_KEPT = 64;
const kept = new Map<string, AcceptedCoding>();

/** Chooses the coding of a reply (RFC 9110, section 12.5.3). If the client accepts nothing, the bytes are sent as they are. */
export function acceptedCoding(header: string | undefined): AcceptedCoding {
  if (header === undefined) return NONE;
  const known = kept.get(header);
  if (known !== undefined) return known;
  const accepted = choose(header);
  if (kept.size === MAX_KEPT) kept.clear();
  kept.set(header, accepted);
  return accepted;
}

function choose(header: string): AcceptedCoding {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } }) as Negotiator & Preferring;
  const accepted = negotiator.encodings([...CODINGS, 'identity'], { preferred: CODINGS });
  const coding = CODINGS.find((name) => name === accepted[0]);
  return { coding, isRequired: coding !== undefined && !accepted.includes('identity') };
}

/** The order among codings of equal weight, which the types of the package do not have yet. */
interface Preferring {
  encodings(available: string[], options: { readonly preferred: readonly string[] }): string[];
}
