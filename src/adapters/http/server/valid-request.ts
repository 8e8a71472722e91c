import type { IncomingMessage } from 'node:http';
import { ProtocolError } from '../core/errors.js';

/** Largest number of characters of a header that the service reads. */
const LONGEST = 2048;
/** Credentials for a proxy may be long (RFC 4559), and are no token of the service. */
const MAX_CREDENTIALS_LENGTH = 8192;
/** The headers that the service reads, but those that Node reads itself. */
const READ = new Set([
  'accept',
  'accept-encoding',
  'authorization',
  'content-encoding',
  'content-type',
  'host',
  'if-none-match',
  'last-event-id',
  'origin',
  'x-forwarded-for',
]);

/**
 * Two Hosts, content types or credentials are how one server is made to see another request than the next (RFC 9112,
 * section 3.2); Node keeps the first and drops the other. Node also reads any transfer coding that ends in `chunked` as if it
 * were that alone (section 6.1).
 *
 * @returns whether the body comes in chunks. Node makes `headers` when they are first asked for, which few requests need
 * @throws ProtocolError REQUEST_INVALID
 */
export function assertSound({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    // `GET /` and nothing more is HTTP/0.9, which the parser still takes.
    throw new ProtocolError('REQUEST_INVALID', 'The request is not valid HTTP/1.1.');
  }
  let hosts = 0;
  let types = 0;
  let credentials = 0;
  let codings = 0;
  let characters = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    characters += (rawHeaders[index + 1] as string).length;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    else if (name.length === 12 && name.toLowerCase() === 'content-type') types += 1;
    else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') {
      codings += rawHeaders[index + 1]?.toLowerCase() === 'chunked' ? 1 : 2;
    } else if (name.length === 13 && name.toLowerCase() === 'authorization') credentials += 1;
  }
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) {
    throw new ProtocolError('REQUEST_INVALID', 'A request has exactly one Host header.');
  }
  if (codings > 1) throw new ProtocolError('REQUEST_INVALID', 'The only transfer coding is chunked.');
  if (credentials > 1)
    throw new ProtocolError('REQUEST_INVALID', 'A request has at most one Authorization header.');
  if (types > 1) throw new ProtocolError('REQUEST_INVALID', 'A request has at most one Content-Type header.');
  if (characters > LONGEST) assertShort(rawHeaders);
  return codings === 1;
}

/** Headers of the same name count together, because Node joins them. */
function assertShort(rawHeaders: readonly string[]): void {
  const lengths = new Map<string, number>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] as string).toLowerCase();
    if (!READ.has(name)) continue;
    const longest = name === 'authorization' ? MAX_CREDENTIALS_LENGTH : LONGEST;
    const length = (lengths.get(name) ?? 0) + (rawHeaders[index + 1] as string).length;
    lengths.set(name, length);
    if (length > longest) {
      throw new ProtocolError('REQUEST_INVALID', `The header ${name} has more than ${longest} characters.`);
    }
  }
}

/** `*` is the target of OPTIONS alone, and means the server as a whole; no router knows it. @throws ProtocolError */
export function assertAsterisk({ method }: IncomingMessage): void {
  if (method !== 'OPTIONS') throw new ProtocolError('REQUEST_INVALID', 'The request target is not valid.');
}
