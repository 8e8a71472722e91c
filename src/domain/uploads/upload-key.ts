import { DomainError } from '../domain-error.js';
import type { FieldMapping } from './field-mapping.js';
import { type Gauge, GAUGES, type Sender } from './upload.js';

/** Settings of an upload key. A person chooses them, because the uploads do not contain this information. */
export interface UploadSettings {
  /** Unit of wind speeds in the metric form of Weather Underground, which does not say whether they are in km/h or m/s. */
  readonly windUnit: 'km/h' | 'm/s';
  /**
   * The rain gauge that gives `precipitation_amount`. If null, it is chosen automatically: `tipping` is preferred, and `piezo` is
   * used if there is no tipping gauge, or if the tipping gauge always shows 0 while the piezo gauge counts.
   */
  readonly gauge: Gauge | null;
  /**
   * Whether the rain of the sender is stored at the station of the key: `precipitation_amount`, computed from rain counters or
   * sent as a value. A field that is mapped to this variable is stored in any case.
   */
  readonly rain: boolean;
}

/** A key that is older than a setting has the default of the setting. */
export const DEFAULT_SETTINGS: UploadSettings = { windUnit: 'km/h', gauge: null, rain: true };

/** An upload key. It permits only to write observations of its station, and of the stations in its mappings. */
export interface UploadKey {
  /** Assigned by the service and never reused. */
  readonly number: number;
  /** `Station.number`. */
  readonly station: number;
  readonly note: string;
  /**
   * Whether the secret is a text that the sender sends anyway: its PASSKEY, or an id and a password that somebody chose. Other
   * people may know such a text. So a weak key is accepted only by the listener for uploads, and never as a bearer token.
   */
  readonly weak: boolean;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly madeAt: number;
  /** Time at which the secret was replaced, or null. */
  readonly rotatedAt: number | null;
  /** Time until which the replaced secret is still accepted, or null. */
  readonly previousUntil: number | null;
  readonly mappings: readonly FieldMapping<number>[];
  readonly settings: UploadSettings;
}

/** A key in the store. Digests are computed by `Secrets.digest`. */
export interface StoredUploadKey extends UploadKey {
  readonly digest: string;
  /** Digest of the replaced secret, or null. */
  readonly previousDigest: string | null;
}

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

/**
 * Whether an attacker could find the credentials of a sender by trying many values. This is possible for the identity of a device
 * and for a password that somebody chose. It is not possible for a random secret, such as a key in the path.
 */
export function isGuessable({ key, password = '' }: Sender): boolean {
  return key === undefined && readSecret(password) === undefined;
}

/** @throws DomainError REQUEST_INVALID */
export function acceptNote(note: string): string {
  if (note.length > 200 || /\p{Cc}/u.test(note) || !note.isWellFormed()) {
    throw new DomainError('REQUEST_INVALID', 'A note has at most 200 characters, and no control characters.');
  }
  return note.trim().normalize('NFC');
}

/** Checks settings and adds the defaults of absent settings. @throws DomainError REQUEST_INVALID */
export function acceptSettings(
  settings: Partial<UploadSettings>,
  defaults: UploadSettings = DEFAULT_SETTINGS,
): UploadSettings {
  const { windUnit = defaults.windUnit, gauge = defaults.gauge, rain = defaults.rain } = settings;
  if (windUnit !== 'km/h' && windUnit !== 'm/s') {
    throw new DomainError('REQUEST_INVALID', 'The unit of wind speeds is km/h or m/s.');
  }
  if (gauge !== null && !GAUGES.includes(gauge)) {
    throw new DomainError('REQUEST_INVALID', `A gauge is one of: ${GAUGES.join(', ')}.`);
  }
  return { windUnit, gauge, rain };
}
