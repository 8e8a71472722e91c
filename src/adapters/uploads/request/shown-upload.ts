import { createHash } from 'node:crypto';
import type { RawUpload } from './raw-upload.js';
import type { SecretMask } from './secrets.js';

/** Largest number of bytes of a shown request. */
const MAX_SHOWN = 4096;

/** A request as text for people, with all secrets masked. Fields are shown decoded. */
export function shownUpload({ method, path, pairs, json, userAgent }: RawUpload, mask: SecretMask): string {
  const fields = pairs.map(([name, value]) => `${mask.text(name)}=${mask.value(name, value)}`).join('&');
  const lines = [`${method} ${mask.path(path)}`];
  if (userAgent !== '') lines.push(`User-Agent: ${mask.text(userAgent)}`);
  lines.push(json === undefined ? fields : JSON.stringify(mask.json(json)));
  const bytes = Buffer.from(lines.join('\n'));
  if (bytes.length <= MAX_SHOWN) return bytes.toString();
  // A character that is cut would become U+FFFD, which takes more bytes than its part.
  return bytes.toString('utf8', 0, MAX_SHOWN - 3).replace(/\uFFFD$/, '');
}

/** Identifies the content of a request. Secrets do not change it, so that it cannot be used to guess them. */
export function digestOf({ fields, json }: RawUpload, mask: SecretMask): string {
  const open = [...fields].filter(([name, value]) => !mask.isSecret(name, value));
  const sorted = open.sort(([one], [other]) => (one < other ? -1 : 1));
  const hash = createHash('sha256').update(JSON.stringify(sorted));
  return hash.update(JSON.stringify(mask.json(json)) ?? '').digest('base64url');
}
