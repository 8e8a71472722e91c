/** Number of random bits of a secret. */
export const SECRET_BITS = 128;

/** Crockford's Base32: no I, L, O and U. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
// Expression of the alphabet of secrets: it matches a fixed number of its characters.
const SECRET = new RegExp(`^[${ALPHABET}]{${Math.ceil(SECRET_BITS / 5)}}$`);

/** The text of a secret: 26 characters, lower case, without padding. @param bytes 16 random bytes */
export function secretText(bytes: Uint8Array): string {
  let bits = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  let text = '';
  for (let bit = 0; bit < SECRET_BITS; bit += 5, bits >>= 5n)
    text = (ALPHABET[Number(bits & 31n)] ?? '') + text;
  return text;
}

/**
 * Parses a secret that a person has typed. Upper and lower case are equal, o is read as 0, i and l as 1, and hyphens and
 * blanks are left out. No secret contains o, i, l or u.
 *
 * @returns the secret as `secretText` gives it; undefined if the text cannot be a secret
 */
export function readSecret(typed: string): string | undefined {
  if (typed.length > 64) return undefined;
  const text = typed.toLowerCase().replaceAll(/[-\s]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
  return SECRET.test(text) ? text : undefined;
}
