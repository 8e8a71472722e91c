import { hostAndPort } from '#domain/sources/source.js';

/**
 * The base URL of a device in the local network.
 *
 * @param address host, or host and port
 * @param usualPort the port of an address without one
 * @param ownPort the port in place of that of the address
 */
export function deviceUrl(address: string, usualPort: number, ownPort?: number): string {
  const { host, port } = hostAndPort(address, usualPort);
  return `http://${host.includes(':') ? `[${host}]` : host}:${ownPort ?? port}`;
}

/** A URL below a base URL, which may end with a slash. @param path begins with a slash */
export function urlUnder(base: string, path: string): string {
  return `${base.endsWith('/') ? base.slice(0, -1) : base}${path}`;
}
