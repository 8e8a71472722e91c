/**
 * The address to which a kind of target sends. An address of the operator without a path replaces the host of the service, and one
 * with a path replaces its path too.
 *
 * @param service the address of the service: `https://example.org/api/upload`, `tcp://example.org:14580`
 * @param own the setting `url`
 */
export function targetAddress(service: string, own: string | undefined): URL {
  if (own === undefined) return new URL(service);
  const url = new URL(own);
  if (!['', '/'].includes(url.pathname) || url.search !== '') return url;
  const { pathname, search, port } = new URL(service);
  // A URL of another scheme than http has no default port.
  if (url.protocol === 'tcp:' && url.port === '') url.port = port;
  url.pathname = pathname;
  url.search = search;
  return url;
}
