import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyaddr from 'proxy-addr';

export interface ClientAddresses {
  readonly clientOf: (message: Pick<IncomingMessage, 'socket' | 'headers'>) => string;
  readonly isProxy: (address: string) => boolean;
}

/**
 * Returns functions that find the address of a client. Without proxies, the client's address is the address of the socket. Behind
 * trusted proxies, the client's address is the last entry in `X-Forwarded-For` that is not a trusted proxy. If this entry is not
 * an address, the address of the proxy that wrote the entry is used.
 *
 * @param trustedProxies addresses and CIDR blocks
 */
export function clientAddresses(trustedProxies: readonly string[]): ClientAddresses {
  if (trustedProxies.length === 0) {
    return { clientOf: (message) => message.socket.remoteAddress ?? '', isProxy: () => false };
  }
  const trust = proxyaddr.compile([...trustedProxies]);
  return {
    clientOf: (message) => {
      // A client of a Unix domain socket has no address.
      if (message.socket.remoteAddress === undefined) return '';
      const hops = proxyaddr.all(message as IncomingMessage, (address, index) =>
        trust(withoutPort(address), index),
      );
      return hops.map(withoutPort).findLast((address) => isIP(address) !== 0) ?? '';
    },
    isProxy: (address) => isIP(address) !== 0 && trust(address, 0),
  };
}

/** Removes the port, which some proxies write: `192.0.2.1:4711` → `192.0.2.1`, `[2001:db8::1]:4711` → `2001:db8::1`. */
function withoutPort(address: string): string {
  const [, ipv6, ipv4] = /^(?:\[(.+)\](?::\d+)?|([\d.]+):\d+)$/.exec(address) ?? [];
  return ipv6 ?? ipv4 ?? address;
}
