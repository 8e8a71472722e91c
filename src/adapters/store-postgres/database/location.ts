/** Splits a URL into two parts: `postgres://user:password@host:port`, and everything after the hosts. */
const PARTS = /^(postgres(?:ql)?:\/\/[^/?]*)(.*)/s;

/**
 * Splits a URL with several hosts, as libpq accepts them: `postgres://user@one:5432,two:5432/database`. Returns one URL for each
 * host. Any other URL is returned unchanged.
 */
export function hostUrls(url: string): readonly string[] {
  const [, authority, path] = PARTS.exec(url) ?? [];
  if (authority === undefined) return [url];
  const hostsAt = Math.max(authority.lastIndexOf('@'), authority.lastIndexOf('/')) + 1;
  const hosts = authority.slice(hostsAt).split(',');
  return hosts.map((host) => `${authority.slice(0, hostsAt)}${host}${path}`);
}

/** The location of a database for people: scheme, hosts, ports and database of its URL, without user, password and parameters. */
export function locationOf(url: string): string {
  const [first = '', ...others] = hostUrls(url).map((one) => new URL(one));
  const { protocol, host, pathname } = first as URL;
  const hosts = [host, ...others.map((other) => other.host)].join();
  // If `//` is missing, the rest of the URL is parsed as a path, which contains the password. Only the protocol is then shown.
  return /^postgres(?:ql)?:\/\//.test(url) ? `postgres://${hosts}${pathname}` : `${protocol}[redacted]`;
}
