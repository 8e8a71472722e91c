/** A complete HTTP request. */
export interface ReceivedRequest {
  /** The method in upper case. */
  readonly method: string;
  /** The target as it was sent. */
  readonly target: string;
  /** The headers by name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/**
 * The reason why bytes are not a request that can be served. `tls`: the client expects TLS. `length`: the request does not state
 * the length of its body.
 */
export type HeadFault = 'tls' | 'invalid' | 'length' | 'large';

type Head = Omit<ReceivedRequest, 'body'> & { /** Bytes of the body. */ readonly length: number };

const METHOD = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE|CONNECT)(?![A-Za-z])/;
const VERSION = /\sHTTP\/\d(?:\.\d)?$/;
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/** Parses the request line and the headers. Lines that are not headers are ignored. */
export function parseHead(text: string): Head | HeadFault {
  const lines = text.split(/\r?\n/);
  const { line, count } = requestLine(lines);
  const method = METHOD.exec(line)?.[1];
  if (method === undefined) return 'invalid';
  const headers = new Map<string, string>();
  for (const header of lines.slice(count)) {
    const [key, value] = headerOf(header);
    if (key === 'content-length' && (headers.get(key) ?? value) !== value) return 'invalid';
    if (key !== '' && !headers.has(key)) headers.set(key, value);
  }
  if (headers.has('transfer-encoding')) return 'length';
  const length = headers.get('content-length') ?? '0';
  if (!/^\d{1,9}$/.test(length)) return 'invalid';
  const target = line.slice(method.length).trimEnd().replace(VERSION, '').trim();
  return { method, target, headers, length: Number(length) };
}

/** The name in lower case and the value; an empty name if the line is not a header. */
function headerOf(line: string): readonly [name: string, value: string] {
  const end = line.indexOf(':');
  const name = line.slice(0, Math.max(end, 0)).trimEnd();
  return HEADER_NAME.test(name) ? [name.toLowerCase(), line.slice(end + 1).trim()] : ['', ''];
}

/**
 * Finds the request line, which ends with the version of HTTP. A line feed within a value splits the request line into several
 * lines, which are joined. If no line before the first header has a version, the request line is the first line.
 *
 * @returns the request line, and the number of its lines
 */
function requestLine(lines: readonly string[]): { readonly line: string; readonly count: number } {
  for (const [index, line] of lines.entries()) {
    if (VERSION.test(line.trimEnd())) return { line: lines.slice(0, index + 1).join(''), count: index + 1 };
    if (index > 0 && headerOf(line)[0] !== '') break;
  }
  return { line: lines[0] ?? '', count: 1 };
}
