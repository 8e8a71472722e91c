import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

/** Number of bits of an IPv6 address that identify a network. One client can use all addresses of its network. */
const IPV6_NETWORK = 64;

/**
 * The network of an address, by which clients are limited: an IPv4 address itself, or the /64 network of an IPv6
 * address. Null if the text is not an address.
 */
export function networkOf(address: string): string | null {
  const known = networks.get(address);
  if (known !== undefined) return known;
  const network = parseNetwork(address);
  if (network !== null) networks.set(address, network);
  return network;
}

/** The networks of recent addresses. They are cached because parsing an address costs more than all other work for a request. */
const networks = new LRUCache<string, string>({ max: 10_000 });

function parseNetwork(address: string): string | null {
  if (!ipaddr.isValid(address)) return null;
  const parsed = ipaddr.process(address); // Converts ::ffff:192.0.2.1 to 192.0.2.1.
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${IPV6_NETWORK}`).toString()}/${IPV6_NETWORK}`;
}
