import type { Upload } from '#domain/uploads/upload.js';
import type { RawUpload } from './raw-upload.js';

/** What is shown instead of a secret. */
export const MASK = '***';

/**
 * Names of fields with a password, a key, or an identifier that is taken for one once its sender has been approved. In lower
 * case.
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
 * An upload key, an MD5 or SHA-256 in hexadecimal digits, a MAC address, also within a longer text: whoever sends it in another
 * field has mistyped. A long run of letters and digits is taken for one of them.
 */
const SECRET_TEXT =
  /[\dA-Z](?:-?[\dA-Z]){25,}|(?<![\dA-F:-])(?:[\dA-F]{2}[:-]){5}[\dA-F]{2}(?![\dA-F:-])|(?<![\dA-Z])[\dA-F]{12}(?![\dA-Z])/gi;

/** Shorter secrets are masked in their own fields only. Elsewhere such a text is likely to mean something else. */
const MIN_SECRET = 6;
/** Each text is searched for each secret. Of a request with more secrets no text is shown: no sender has so many. */
const MAX_SECRETS = 64;
/** Members of JSON below this depth are not shown. */
const MAX_DEPTH = 8;

/** Masks the secrets of one request, wherever they stand in it. */
export class SecretMask {
  /** The secrets that the request has sent in their own places, longest first. */
  readonly #sent: readonly string[];

  constructor({ key, pairs, json }: Pick<RawUpload, 'key' | 'pairs' | 'json'>) {
    const sent = [key ?? '', ...pairs.flatMap(([name, value]) => (isSecretName(name) ? [value] : []))];
    collect(json, sent);
    this.#sent = [...new Set(sent)]
      .filter((secret) => secret.length >= MIN_SECRET)
      .sort((one, other) => other.length - one.length);
  }

  /** Whether nothing of the value of a field may be shown, or used to tell uploads apart. */
  isSecret(name: string, value: string): boolean {
    return isSecretName(name) || this.text(value) !== value;
  }

  text(text: string): string {
    if (this.#sent.length > MAX_SECRETS) return MASK;
    let shown = text;
    for (const secret of this.#sent) shown = shown.replaceAll(secret, MASK);
    return shown.replaceAll(SECRET_TEXT, MASK);
  }

  /** The value of a field as it may be shown. */
  value(name: string, value: string): string {
    return isSecretName(name) ? MASK : this.text(value);
  }

  /** A path as it may be shown: also the segment behind `/u/` is masked. */
  path(path: string): string {
    const segments = path.split('/');
    return segments
      .map((segment, index) => (segments[index - 1] === 'u' ? MASK : this.text(segment)))
      .join('/');
  }

  /** JSON as it may be shown. */
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
   * An upload without the secrets in what is shown of it: fields without a mapping, whose name may be a path (`login.password`),
   * and what the device says about itself.
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

/** Whether a field has a secret, as far as that can be told without the rest of the request. */
export function isSecret(name: string, value: string): boolean {
  return isSecretName(name) || value.search(SECRET_TEXT) >= 0;
}

function isSecretName(name: string): boolean {
  return SECRET_NAMES.has(name.toLowerCase());
}

/** Adds the texts of JSON whose name says that they are secret. */
function collect(json: unknown, secrets: string[], depth = 0): void {
  if (typeof json !== 'object' || json === null || depth === MAX_DEPTH) return;
  for (const [name, value] of Object.entries(json)) {
    if (typeof value === 'string' && isSecretName(name)) secrets.push(value);
    collect(value, secrets, depth + 1);
  }
}
