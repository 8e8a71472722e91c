/** Texts of requests and replies. The page about the API and its panel show the same texts. */

/** A request of the API without a body. */
export interface ShownRequest {
  /** Path with parameters in braces. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

/** The service and the station that the texts of the page name before they are those of the visitor. */
export const DOCUMENTED = { origin: 'http://127.0.0.1:8080', station: 'JFK' } as const;

/** A text of the page for a service at `origin`. @param station id of a station of this service; empty if it has none */
export function ofService(text: string, origin: string, station: string): string {
  const id = station || DOCUMENTED.station;
  // The apostrophe would end the argument of the shell.
  const segment = encodeURIComponent(id).replaceAll("'", '%27');
  return text
    .replaceAll(DOCUMENTED.origin, origin)
    .replaceAll(`/stations/${DOCUMENTED.station}`, () => `/stations/${segment}`)
    .replaceAll(`'${DOCUMENTED.station}'`, () => quotedOf(id));
}

/** The path and the query of a request. Commas, colons and slashes in the query stay readable. */
export function targetOfRequest({ path, params, query }: ShownRequest): string {
  const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''));
  const pairs = Object.entries(query).map(
    ([name, value]) => `${name}=${encodeURIComponent(value).replace(/%(?:2C|3A|2F)/g, decodeURIComponent)}`,
  );
  return pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`;
}

/** A command for a POSIX shell. */
export function curlOf(address: string, hasToken = false): string {
  const quoted = `'${address.replaceAll("'", String.raw`'\''`)}'`;
  return hasToken ? `curl ${quoted} -H "Authorization: Bearer $TOKEN"` : `curl ${quoted}`;
}

/** A call of the TypeScript client. */
export function clientCallOf({ path, params, query }: ShownRequest): string {
  // An id that has only digits is a text too.
  const parts = [
    ['path', params, quotedOf],
    ['query', query, literalOf],
  ] as const;
  const given = parts.filter(([, values]) => Object.keys(values).length > 0);
  const lines = given.map(([name, values, write]) => {
    const pairs = Object.entries(values).map(([key, value]) => `${key}: ${write(value)}`);
    return `  ${name}: { ${pairs.join(', ')} },\n`;
  });
  const options = lines.length === 0 ? '' : `, {\n${lines.join('')}}`;
  return `const reply = await client.get('${path}'${options});`;
}

function literalOf(value: string): string {
  return /^\d{1,9}$/.test(value) ? value : quotedOf(value);
}

function quotedOf(value: string): string {
  return /[\\\n\r']/.test(value) ? JSON.stringify(value) : `'${value}'`;
}

/** Longest line of JSON, in characters. */
const MAX_LINE = 64;

/** Formats a value as JSON. A list or an object stays on one line if it fits, and numbers of long lists share lines. */
export function formatJson(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item) => formatJson(item, inner))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${formatJson(item, inner)}`);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return open + close;
  const hasLines = parts.some((part) => part.includes('\n'));
  const length = parts.reduce((sum, part) => sum + part.length + 2, indent.length);
  if (!hasLines && length <= MAX_LINE) return isList ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
  const lines = isList && !hasLines ? joinShort(parts, MAX_LINE - inner.length) : parts;
  return `${open}\n${lines.map((line) => inner + line).join(',\n')}\n${indent}${close}`;
}

/** Joins short parts to lines of at most `width` characters. */
function joinShort(parts: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + part.length + 2 <= width)
      lines[lines.length - 1] = `${last}, ${part}`;
    else lines.push(part);
  }
  return lines;
}
