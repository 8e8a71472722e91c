import type { Upload } from '../../../domain/uploads/upload.js';

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

/** An upload key, an MD5 or SHA-256 in hexadecimal digits, a MAC address: whoever sends it under another name has mistyped. */
const SECRET_VALUE =
  /^(?:[\dA-Z](?:-?[\dA-Z]){25}|[\dA-F]{32}|[\dA-F]{64}|(?:[\dA-F]{2}[:-]){5}[\dA-F]{2}|[\dA-F]{12})$/i;

export function isSecret(name: string, value: string): boolean {
  return SECRET_NAMES.has(name.toLowerCase()) || SECRET_VALUE.test(value);
}

/** The value of a field as it may be shown. */
export function masked(name: string, value: string): string {
  return isSecret(name, value) ? MASK : value;
}

/**
 * An upload without the secrets in what is shown of it: fields without a mapping, whose name may be a path (`login.password`), and
 * what the device says about itself.
 */
export function withoutSecrets<T extends Pick<Upload, 'fields' | 'device'>>(upload: T): T {
  const { model, firmware } = upload.device;
  const fields = upload.fields.filter(({ name, value }) => {
    const last = name.slice(name.lastIndexOf('.') + 1);
    return !isSecret(last, typeof value === 'string' ? value : '');
  });
  const device = {
    ...upload.device,
    ...(model !== undefined && { model: masked('', model) }),
    ...(firmware !== undefined && { firmware: masked('', firmware) }),
  };
  return { ...upload, fields, device };
}

/** A path as it may be shown: the segment behind `/u/` and all that look like a secret are masked. */
export function maskedPath(path: string): string {
  const segments = path.split('/');
  return segments
    .map((segment, index) => (segments[index - 1] === 'u' || SECRET_VALUE.test(segment) ? MASK : segment))
    .join('/');
}

/** Members of JSON below this depth are not shown. */
const MAX_DEPTH = 8;

/** JSON as it may be shown. */
export function maskedJson(value: unknown, name = '', depth = 0): unknown {
  if (typeof value === 'string') return masked(name, value);
  if (typeof value === 'number') return SECRET_NAMES.has(name.toLowerCase()) ? MASK : value;
  if (typeof value !== 'object' || value === null) return value;
  if (depth === MAX_DEPTH) return '…';
  if (Array.isArray(value)) return value.map((item) => maskedJson(item, name, depth + 1));
  const members = Object.entries(value).map(([key, member]) => [
    masked('', key),
    maskedJson(member, key, depth + 1),
  ]);
  return Object.fromEntries(members) as unknown;
}
