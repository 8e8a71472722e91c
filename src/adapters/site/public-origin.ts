/** A host name or an IP address, with an optional port. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/**
 * The origin under which a visitor sees the site, for absolute addresses in the head of a page.
 *
 * The origin is made from the header `Host` alone. Caches keep a page under the host for which they asked, so a false `Host` only
 * changes the page of its own sender. `X-Forwarded-Host` is not used: anybody can send it, and caches ignore it.
 *
 * @param hasTls whether visitors reach the service over TLS
 * @returns undefined if the header is missing or contains anything but a host
 */
export function publicOrigin(host: string | undefined, hasTls: boolean): string | undefined {
  if (host === undefined || !HOST.test(host)) return undefined;
  return `${hasTls ? 'https' : 'http'}://${host.toLowerCase()}`;
}
