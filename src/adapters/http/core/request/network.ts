import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

/** Bits of an IPv6 address that name a network: a single client has all of the addresses in one. */
const IPV6_NETWORK = 64;

/**
 * Whom an address stands for when requests are counted: an IPv4 address itself, and of IPv6 the /64. Null for what is
 * no address.
 */
export function networkOf(address: string): string | null {
  const known = networks.get(address);
  if (known !== undefined) return known;
  const network = parseNetwork(address);
  if (network !== null) networks.set(address, network);
  return network;
}

/** Parsing costs more than all else that is done for a request. */
const networks = new LRUCache<string, string>({ max: 10_000 });

function parseNetwork(address: string): string | null {
  if (!ipaddr.isValid(address)) return null;
  const parsed = ipaddr.process(address); // Turns ::ffff:192.0.2.1 into 192.0.2.1.
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${IPV6_NETWORK}`).toString()}/${IPV6_NETWORK}`;
}
