/**
 * The location of a database, as shown to people: scheme, host, port and database of its URL, without user, password
 * and parameters.
 */
export function locationOf(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  // Without the slashes the whole URL is parsed as a path, passwords included.
  return /^postgres(?:ql)?:\/\//.test(url) ? `postgres://${host}${pathname}` : `${protocol}[redacted]`;
}
