import { hostAndPort, type SourceSettings } from './source.js';

/**
 * Names the device or the service that the settings of a source reach. All spellings of one address have the same name.
 *
 * @param port of an address without one
 * @returns undefined if the settings name neither an address nor a URL nor an account
 */
export function deviceKey({ address, url, account }: SourceSettings, port: number): string | undefined {
  if (address !== undefined) {
    const { host, port: own } = hostAndPort(address, port);
    return `${canonicalHost(host)}:${own}`;
  }
  if (url === undefined || !URL.canParse(url)) return url ?? account;
  const { protocol, hostname, port: own, pathname } = new URL(url);
  return `${hostname}:${own || (protocol === 'https:' ? 443 : 80)}${pathname.replace(/\/$/, '')}`;
}

/** Writes a host as a URL has it: in lower case, and with the shortest form of an IPv6 address. */
function canonicalHost(host: string): string {
  const url = `http://${host.includes(':') ? `[${host}]` : host}`;
  return URL.canParse(url) ? new URL(url).hostname : host.toLowerCase();
}
