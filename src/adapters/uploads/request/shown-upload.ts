import { createHash } from 'node:crypto';
import type { RawUpload } from './raw-upload.js';
import type { SecretMask } from './secret-mask.js';

/** Largest number of bytes of a displayed request. */
const MAX_SHOWN = 4096;

/** A request as text for people, with all secrets masked. Fields are displayed decoded. */
export function shownUpload({ method, path, pairs, json, userAgent }: RawUpload, mask: SecretMask): string {
  const fields = pairs.map(([name, value]) => `${mask.text(name)}=${mask.value(name, value)}`).join('&');
  const lines = [`${method} ${mask.path(path)}`];
  if (userAgent !== '') lines.push(`User-Agent: ${mask.text(userAgent)}`);
  lines.push(json === undefined ? fields : JSON.stringify(mask.json(json)));
  const bytes = Buffer.from(lines.join('\n'));
  if (bytes.length <= MAX_SHOWN) return bytes.toString();
  // The text may be cut in the middle of a character. The rest of this character is then decoded to U+FFFD, which is removed.
  return bytes.toString('utf8', 0, MAX_SHOWN - 3).replace(/\uFFFD$/, '');
}

/**
 * A digest that identifies the content of a request. Secrets are not part of it, so that nobody can guess a secret from the
 * digest.
 */
export function digestOf({ fields, json }: RawUpload, mask: SecretMask): string {
  const open = [...fields].filter(([name, value]) => !mask.isSecret(name, value));
  const sorted = open.sort(([one], [other]) => (one < other ? -1 : 1));
  const hash = createHash('sha256').update(JSON.stringify(sorted));
  return hash.update(JSON.stringify(mask.json(json)) ?? '').digest('base64url');
}
