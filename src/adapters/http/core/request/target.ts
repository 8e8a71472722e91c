import { ProtocolError } from '../errors.js';

/** A path of pchars and slashes (RFC 3986), and a query. The query may contain other characters too, because clients send them. */
const ORIGIN_FORM = /^\/[\w.~!$&'()*+,;=:@%/-]*(?:\?[!"$-~]*)?$/;
const ABSOLUTE_FORM = /^https?:\/\/[^/?#]*/i;
const UNRESERVED = /%(?:2[DE]|3\d|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/gi;

/**
 * Converts a request target to a form that all routers interpret in the same way: origin form, without unnecessary
 * percent-encoding (RFC 3986, section 6.2.2.2). `*` does not change.
 *
 * @throws ProtocolError REQUEST_INVALID if the target is not valid or does not decode to UTF-8
 */
export function normalizeTarget(target: string): string {
  if (target === '*') return target;
  const origin =
    target.charCodeAt(0) === SLASH ? target : withLeadingSlash(target.replace(ABSOLUTE_FORM, ''));
  if (!ORIGIN_FORM.test(origin))
    throw new ProtocolError('REQUEST_INVALID', 'The request target is not valid.');
  if (!origin.includes('%')) return origin;
  const [path, query] = splitTarget(origin);
  try {
    decodeURIComponent(path);
  } catch {
    throw new ProtocolError('REQUEST_INVALID', 'The path has an invalid percent-encoding.');
  }
  const decoded = path.replace(UNRESERVED, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
  return query === undefined ? decoded : `${decoded}?${query}`;
}

const SLASH = 0x2f;

/** Adds the slash if the path is empty, as in `http://host?x`. An empty path is equal to `/` (RFC 9110, section 4.2.3). */
function withLeadingSlash(target: string): string {
  return target === '' || target.startsWith('?') ? `/${target}` : target;
}

/** Path and query of a target in origin form. The query is undefined without a `?`. */
export function splitTarget(target: string): [path: string, query: string | undefined] {
  const queryAt = target.indexOf('?');
  return queryAt === -1 ? [target, undefined] : [target.slice(0, queryAt), target.slice(queryAt + 1)];
}

/**
 * Parses a query string or a form.
 *
 * @param part `query` or `body`, for the message
 * @throws ProtocolError REQUEST_INVALID if a field occurs twice or its encoding is invalid
 */
export function parseQuery(query: string, part = 'query'): Record<string, string> {
  try {
    decodeURIComponent(query);
  } catch {
    throw new ProtocolError('REQUEST_INVALID', `The ${part} has an invalid percent-encoding.`);
  }
  const fields: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(query)) {
    if (name in fields) {
      throw new ProtocolError('REQUEST_INVALID', `${part}.${name.slice(0, 64)}: given more than once`);
    }
    fields[name] = value;
  }
  return fields;
}
