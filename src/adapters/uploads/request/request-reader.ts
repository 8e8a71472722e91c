import { type HeadFault, parseHead, type ReceivedRequest } from './request-head.js';

/** Largest number of bytes of a request, including its head. */
export const MAX_REQUEST = 16_384;

const TLS_HANDSHAKE = 0x16;
const LF = 0x0a;
const CR = 0x0d;

/**
 * Collects the bytes of one request. Lines may end with LF or CR LF. The end of the request depends only on its bytes, and not on
 * their division into segments. Bytes after the request are ignored, because the connection closes after the reply.
 */
export class RequestReader {
  #bytes: Buffer = Buffer.alloc(0);
  /** Number of bytes at the start that have been searched, and do not contain the end of the head. */
  #searched = 0;
  #head: ReturnType<typeof parseHead> | undefined;
  #bodyAt = 0;

  /** @returns undefined while bytes are missing */
  push(chunk: Buffer): ReceivedRequest | HeadFault | undefined {
    this.#bytes = this.#bytes.length === 0 ? withoutEmptyLines(chunk) : Buffer.concat([this.#bytes, chunk]);
    if (this.#bytes[0] === TLS_HANDSHAKE) return 'tls';
    if (this.#head === undefined && !this.#findHead()) {
      return this.#bytes.length >= MAX_REQUEST ? 'large' : undefined;
    }
    if (this.#head === undefined || typeof this.#head === 'string') return this.#head;
    const end = this.#bodyAt + this.#head.length;
    if (end > MAX_REQUEST) return 'large';
    if (this.#bytes.length < end) return undefined;
    return { ...this.#head, body: this.#bytes.subarray(this.#bodyAt, end) };
  }

  /** Whether no byte of a request has arrived. */
  get isEmpty(): boolean {
    return this.#bytes.length === 0;
  }

  /** Searches for the end of the head, which is an empty line, and parses the head. @returns whether the head is complete */
  #findHead(): boolean {
    const bytes = this.#bytes;
    const last = Math.min(bytes.length, MAX_REQUEST);
    for (let at = bytes.indexOf(LF, this.#searched); at !== -1 && at < last; at = bytes.indexOf(LF, at + 1)) {
      const next = bytes[at + 1] === CR ? at + 2 : at + 1;
      if (next >= last) {
        this.#searched = at;
        return false;
      }
      if (bytes[next] !== LF) continue;
      this.#bodyAt = next + 1;
      this.#head = parseHead(bytes.toString('utf8', 0, at));
      return true;
    }
    this.#searched = last;
    return false;
  }
}

/** Removes empty lines before a request, which are ignored (RFC 9112, section 2.2). */
function withoutEmptyLines(bytes: Buffer): Buffer {
  let start = 0;
  while (bytes[start] === LF || bytes[start] === CR) start += 1;
  return bytes.subarray(start);
}
