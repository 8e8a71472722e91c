import { createHash } from 'node:crypto';
import type { TargetExchange } from '#application/ports/target-kind.js';

/**
 * The MD5 of a text with a password, in hexadecimal digits, because some services require it. Who knows it can send in the name of the
 * station, so it is never shown.
 */
export function hiddenMd5(text: string, to: Pick<TargetExchange, 'hide'>): string {
  const digest = createHash('md5').update(text).digest('hex');
  to.hide(digest);
  to.hide(digest.toUpperCase());
  return digest;
}
