import { createHash } from 'node:crypto';
import type { SiteReply } from './site-page.js';

/** Browsers must not guess the type of a reply. */
export const NO_SNIFF = { 'x-content-type-options': 'nosniff' };

/** Number of base64url characters of a hash in an ETag: 96 bits. */
export const ETAG_LENGTH = 16;

/** The ETag of a reply: its shortened SHA-256. */
export function etagOf(body: string): string {
  return createHash('sha256').update(body).digest('base64url').slice(0, ETAG_LENGTH);
}

/** A reply of one sentence, which caches do not keep, for a request that cannot be answered. */
export function refusal(
  status: number,
  sentence: string,
  headers: Readonly<Record<string, string>> = {},
): SiteReply {
  return {
    status,
    headers: {
      ...NO_SNIFF,
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      ...headers,
    },
    etag: 'none',
    body: `${sentence}\n`,
  };
}
