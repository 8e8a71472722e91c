import { lookup as lookUp } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Which addresses may be reached: public ones, those of private networks and of this machine, or any. */
export type AddressRule = 'public' | 'private' | 'any';

/** Finds all addresses of a name. */
export type Resolve = typeof lookUp;

/** Unicast addresses that are assigned to hosts of the internet: https://www.iana.org/assignments/ipv6-address-space */
const IPV6_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/**
 * Ranges of `ipaddr.js` with addresses of private networks and of this machine. Addresses of links are left out, because the
 * machines of some providers give their secrets away at 169.254.169.254.
 */
const PRIVATE_RANGES: ReadonlySet<string> = new Set(['private', 'loopback', 'uniqueLocal']);

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

/** The sentence about a target of a hook or an alarm whose host has no public address, and may not have another one. */
export const NOT_PUBLIC =
  'The host has no public address. Add the target on the command line with --allow-private if this is meant, or set ' +
  'WEATHERD_HOOKS_ALLOW_PRIVATE=true for all targets.';

/** The error for a host without an address that the rule allows. */
export class RefusedAddressError extends Error {
  override readonly name = 'RefusedAddressError';
}

/** Whether a host is an address and not a name. @param hostname as in `URL.hostname`, with brackets around an IPv6 address */
export function isLiteral(hostname: string): boolean {
  return isIP(bare(hostname)) !== 0;
}

/**
 * Whether the rule allows an address. This check is needed for addresses in URLs, because sockets call the function of `lookupFor`
 * only for names.
 *
 * @param address with or without the brackets of a URL
 */
export function isAllowed(address: string, rule: AddressRule): boolean {
  const own = bare(address);
  if (rule === 'any') return true;
  if (rule === 'public') return isPublicAddress(own);
  return ipaddr.isValid(own) && PRIVATE_RANGES.has(ipaddr.process(own).range());
}

/**
 * Creates a lookup function that returns only the allowed addresses of a name. A socket calls the function when it connects. The
 * socket therefore connects only to checked addresses, even if the name got another address after an earlier check.
 *
 * @returns undefined if every address is allowed
 */
export function lookupFor(rule: AddressRule, resolve: Resolve = lookUp): LookupFunction | undefined {
  if (rule === 'any') return undefined;
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) {
        callback(error, []);
        return;
      }
      const found = addresses.filter(({ address }) => isAllowed(address, rule));
      const [first] = found;
      if (first === undefined) callback(new RefusedAddressError(hostname), []);
      else if (options.all === true) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };
}

function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}
