/** Where a database is, for people: scheme, host, port and database of its URL, without user, password and parameters. */
export function locationOf(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  // Without the slashes all of it is one path, passwords included.
  return /^postgres(?:ql)?:\/\//.test(url) ? `postgres://${host}${pathname}` : `${protocol}[redacted]`;
}
