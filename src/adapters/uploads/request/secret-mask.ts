import type { Upload } from '#domain/uploads/upload.js';
import type { RawUpload } from './raw-upload.js';

/** The text that is displayed instead of a secret. */
export const MASK = '***';

/**
 * Names of fields, in lower case, that contain a secret: a password, a key, or an identifier of the sender, such as a MAC
 * address. An identifier counts as a secret, because a sender without an upload key can be approved, and its identifier then
 * serves as its key.
 */
const SECRET_NAMES: ReadonlySet<string> = new Set([
  'password',
  'passkey',
  'mac',
  'siteauthenticationkey',
  'wspw',
  'appid',
  'key',
  'apikey',
  'api_key',
  'token',
  'secret',
  'authorization',
  'pass',
  'passwd',
  'pwd',
  'device_id',
  'dev_eui',
]);

/**
 * Matches an upload key, an MD5 or SHA-256 in hexadecimal digits, or a MAC address, also within a longer text. So such a secret
 * is masked even if a person has entered it in the wrong field of a console. Other sequences of at least 26 letters and digits
 * match as well.
 */
const SECRET_TEXT =
  /[\dA-Z](?:-?[\dA-Z]){25,}|(?<![\dA-F:-])(?:[\dA-F]{2}[:-]){5}[\dA-F]{2}(?![\dA-F:-])|(?<![\dA-Z])[\dA-F]{12}(?![\dA-Z])/gi;

/**
 * Smallest length of a secret, in characters, that is masked wherever it occurs in the request. A shorter secret is masked only
 * in its own field: in another field, the same few characters probably mean something else.
 */
const MIN_SECRET = 6;
/**
 * Largest number of secrets in a request. If there are more, no text of the request is displayed, because each text is searched
 * for each secret. No real sender has so many.
 */
const MAX_SECRETS = 64;
/** Largest depth at which members of JSON are displayed. */
const MAX_DEPTH = 8;

/** Masks the secrets of one request in all of its parts. */
export class SecretMask {
  /** The values of secret fields of the request, the longest first. */
  readonly #sent: readonly string[];

  constructor({ key, pairs, json }: Pick<RawUpload, 'key' | 'pairs' | 'json'>) {
    const sent = [key ?? '', ...pairs.flatMap(([name, value]) => (isSecretName(name) ? [value] : []))];
    collect(json, sent);
    this.#sent = [...new Set(sent)]
      .filter((secret) => secret.length >= MIN_SECRET)
      .sort((one, other) => other.length - one.length);
  }

  /**
   * Whether the value of a field contains a secret. Such a value is not displayed, and is not part of the digest that identifies
   * the content of a request.
   */
  isSecret(name: string, value: string): boolean {
    return isSecretName(name) || this.text(value) !== value;
  }

  text(text: string): string {
    if (this.#sent.length > MAX_SECRETS) return MASK;
    let shown = text;
    for (const secret of this.#sent) shown = shown.replaceAll(secret, MASK);
    return shown.replaceAll(SECRET_TEXT, MASK);
  }

  /** The value of a field with its secrets masked. */
  value(name: string, value: string): string {
    return isSecretName(name) ? MASK : this.text(value);
  }

  /** A path with its secrets masked. The segment after `/u/` is always masked. */
  path(path: string): string {
    const segments = path.split('/');
    return segments
      .map((segment, index) => (segments[index - 1] === 'u' ? MASK : this.text(segment)))
      .join('/');
  }

  /** JSON with its secrets masked. */
  json(value: unknown, name = '', depth = 0): unknown {
    if (typeof value === 'string') return this.value(name, value);
    if (typeof value === 'number') return isSecretName(name) ? MASK : value;
    if (typeof value !== 'object' || value === null) return value;
    if (depth === MAX_DEPTH) return '…';
    if (Array.isArray(value)) return value.map((item) => this.json(item, name, depth + 1));
    const members = Object.entries(value).map(([key, member]) => [
      this.text(key),
      this.json(member, key, depth + 1),
    ]);
    return Object.fromEntries(members) as unknown;
  }

  /**
   * Removes the secrets from the displayed parts of an upload:
   *
   * - the values in `fields`, such as extra sensors and unknown fields. The name of such a value may be a path in a JSON object
   *   (`login.password`);
   * - the description of the device.
   */
  upload<T extends Pick<Upload, 'fields' | 'device'>>(upload: T): T {
    const { model, firmware } = upload.device;
    const fields = upload.fields.filter(({ name, value }) => {
      const last = name.slice(name.lastIndexOf('.') + 1);
      return !this.isSecret(last, typeof value === 'string' ? value : '') && this.text(name) === name;
    });
    const device = {
      ...upload.device,
      ...(model !== undefined && { model: this.text(model) }),
      ...(firmware !== undefined && { firmware: this.text(firmware) }),
    };
    return { ...upload, fields, device };
  }
}

/** Whether the name or the value of a field alone shows that the field contains a secret. */
export function isSecret(name: string, value: string): boolean {
  return isSecretName(name) || value.search(SECRET_TEXT) >= 0;
}

function isSecretName(name: string): boolean {
  return SECRET_NAMES.has(name.toLowerCase());
}

/**
 * Appends to `secrets` the texts of all JSON members whose name is the name of a secret, such as `password`. Members of inner
 * objects and arrays are included, down to the depth `MAX_DEPTH`.
 */
function collect(json: unknown, secrets: string[], depth = 0): void {
  if (typeof json !== 'object' || json === null || depth === MAX_DEPTH) return;
  for (const [name, value] of Object.entries(json)) {
    if (typeof value === 'string' && isSecretName(name)) secrets.push(value);
    collect(value, secrets, depth + 1);
  }
}
