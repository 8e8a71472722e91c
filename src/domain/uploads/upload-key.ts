import { DomainError } from '../domain-error.js';
import { readSecret } from '../secret-text.js';
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

/** The mappings and the settings of a key as text, which differs after every change of them. */
export function uploadFieldsText({
  number,
  mappings,
  settings,
}: Pick<UploadKey, 'number' | 'mappings' | 'settings'>): string {
  const { windUnit, gauge, rain } = { ...DEFAULT_SETTINGS, ...settings };
  return JSON.stringify([number, mappings, windUnit, gauge, rain]);
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
