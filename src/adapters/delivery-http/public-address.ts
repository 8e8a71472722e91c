import { lookup as lookUp } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Addresses of the internet that are assigned to hosts: https://www.iana.org/assignments/ipv6-address-space */
const IPV6_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address is one of the public internet. Those of private networks, of this machine, of links, of carriers
 * (RFC 6598), of groups and of examples are not, nor are IPv6 addresses that contain an IPv4 address, because a
 * translator may pass them on to a private one.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address); // Turns ::ffff:192.0.2.1 into 192.0.2.1.
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(IPV6_UNICAST);
}

/** A host has only addresses that a target must not have. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';
}

/**
 * Whether the host of a URL is itself an address that is not public. Sockets look up only names, so `publicLookup` is not
 * asked about addresses.
 *
 * @param hostname as in `URL.hostname`: an IPv6 address is in brackets
 */
export function isPrivateLiteral(hostname: string): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(address) !== 0 && !isPublicAddress(address);
}

/**
 * Looks up the public addresses of a name. A socket uses it when it connects, so the addresses that were checked are those
 * it connects to, even if the name gets another address in between.
 *
 * @param resolve finds all addresses of a name; a test gives its own
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
