import type { HttpReply } from '#adapters/http-client/http-exchange.js';

/** Maximum number of bytes of all kept replies. */
const MAX_BYTES = 4 * 1024 * 1024;

interface Kept {
  readonly reply: HttpReply;
  /** The headers with which the reply is asked for again: `If-None-Match` or `If-Modified-Since` (RFC 9110, section 13). */
  readonly conditions: Readonly<Record<string, string>>;
}

/** Replies that a server lets us keep, so that it sends them again only after a change. The replies used last are kept. */
export class KeptReplies {
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  of(url: string, headers: Readonly<Record<string, string>> = {}): Kept | undefined {
    const key = keyOf(url, headers);
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept;
  }

  keep(url: string, headers: Readonly<Record<string, string>> = {}, reply: HttpReply): void {
    const key = keyOf(url, headers);
    this.#drop(key);
    const { etag, 'last-modified': modified, 'cache-control': control = '' } = reply.headers;
    if ((etag === undefined && modified === undefined) || /no-store/i.test(control)) return;
    if (reply.status !== 200 || reply.bytes.length > MAX_BYTES / 4) return;
    const conditions =
      etag === undefined ? { 'if-modified-since': modified ?? '' } : { 'if-none-match': etag };
    this.#kept.set(key, { reply, conditions });
    this.#bytes += reply.bytes.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= MAX_BYTES) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#kept.get(key)?.reply.bytes.length ?? 0;
    this.#kept.delete(key);
  }
}

/** The same address may have different replies for different credentials. */
function keyOf(url: string, headers: Readonly<Record<string, string>>): string {
  return JSON.stringify([url, headers]);
}
