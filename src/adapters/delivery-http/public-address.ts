import { lookup as lookUp } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Unicast addresses that are assigned to hosts of the internet: https://www.iana.org/assignments/ipv6-address-space */
const IPV6_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address belongs to the public internet. False for addresses of private networks, of this machine, of links, of
 * carriers (RFC 6598), of multicast groups and of examples. Also false for IPv6 addresses that contain an IPv4 address, because a
 * translator may forward them to a private address.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address); // Converts ::ffff:192.0.2.1 to 192.0.2.1.
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(IPV6_UNICAST);
}

/** The error for a host without a public address. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';
}

/**
 * Whether the host of a URL is an address that is not public. This check is needed, because sockets call `publicLookup` only for
 * names, and not for addresses.
 *
 * @param hostname as in `URL.hostname`, with brackets around an IPv6 address
 */
export function isPrivateLiteral(hostname: string): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(address) !== 0 && !isPublicAddress(address);
}

/**
 * Creates a lookup function that returns only the public addresses of a name. A socket calls the function when it connects. The
 * socket therefore connects only to checked addresses, even if the name got another address after an earlier check.
 *
 * @param resolve finds all addresses of a name; tests replace it
 */
export function publicLookup(resolve: typeof lookUp = lookUp): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) {
        callback(error, []);
        return;
      }
      const found = addresses.filter(({ address }) => isPublicAddress(address));
      const [first] = found;
      if (first === undefined) callback(new PrivateAddressError(hostname), []);
      else if (options.all === true) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };
}
