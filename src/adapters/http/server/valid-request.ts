import type { IncomingMessage } from 'node:http';
import { ProtocolError } from '../core/errors.js';

/** Largest number of characters of a header that the service reads. */
const MAX_HEADER_LENGTH = 2048;
/** Largest number of characters of `Authorization`. Credentials for a proxy may be long (RFC 4559). */
const MAX_CREDENTIALS_LENGTH = 8192;
/** The headers that the service reads, without the headers that Node reads itself. */
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
 * Refuses requests that two servers may interpret differently (request smuggling; RFC 9112, sections 3.2 and 6.1). Node accepts
 * such requests: it keeps only the first Host, Content-Type and Authorization header, and ignores other transfer codings before
 * `chunked`.
 *
 * This function reads `rawHeaders`, because Node builds `headers` at the first access, and few requests need them.
 *
 * @returns whether the body is chunked
 * @throws ProtocolError REQUEST_INVALID
 */
export function assertValidHeaders({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    // A request line of only `GET /` is HTTP/0.9, which the parser still accepts.
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
    throw new ProtocolError('REQUEST_INVALID', 'A request must have exactly one Host header.');
  }
  if (codings > 1)
    throw new ProtocolError('REQUEST_INVALID', 'The only supported transfer coding is chunked.');
  if (credentials > 1)
    throw new ProtocolError('REQUEST_INVALID', 'A request must not have more than one Authorization header.');
  if (types > 1)
    throw new ProtocolError('REQUEST_INVALID', 'A request must not have more than one Content-Type header.');
  if (characters > MAX_HEADER_LENGTH) assertShort(rawHeaders);
  return codings === 1;
}

/** Checks the length of each header. Headers of the same name count together, because Node joins them. */
function assertShort(rawHeaders: readonly string[]): void {
  const lengths = new Map<string, number>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] as string).toLowerCase();
    if (!READ.has(name)) continue;
    const max = name === 'authorization' ? MAX_CREDENTIALS_LENGTH : MAX_HEADER_LENGTH;
    const length = (lengths.get(name) ?? 0) + (rawHeaders[index + 1] as string).length;
    lengths.set(name, length);
    if (length > max) {
      throw new ProtocolError('REQUEST_INVALID', `The header ${name} has more than ${max} characters.`);
    }
  }
}

/**
 * Refuses the target `*` with a method other than OPTIONS. The target means the whole server and is valid only with OPTIONS (RFC
 * 9112, section 3.2.4). The target is checked here, because no router supports this target.
 *
 * @throws ProtocolError REQUEST_INVALID
 */
export function assertAsterisk({ method }: IncomingMessage): void {
  if (method !== 'OPTIONS') throw new ProtocolError('REQUEST_INVALID', 'The request target is not valid.');
}
