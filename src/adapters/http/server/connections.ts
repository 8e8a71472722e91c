import type { Socket } from 'node:net';
import { networkOf } from '../core/request/network.js';
import type { Limits } from './limits.js';

/** The open TCP connections of a server, and their number for each network. Connections in a TLS handshake are included. */
export class Connections {
  readonly #limits: Pick<Limits, 'maxConnectionsPerNetwork'>;
  readonly #isProxy: (address: string) => boolean;
  readonly #open = new Set<Socket>();
  readonly #counts = new Map<string, number>();
  #refused = 0;

  /** @param isProxy whether an address is a proxy with many clients. The connections of a proxy are not limited by network. */
  constructor(limits: Pick<Limits, 'maxConnectionsPerNetwork'>, isProxy: (address: string) => boolean) {
    this.#limits = limits;
    this.#isProxy = isProxy;
  }

  /** Accepts a connection, or closes it if its network has too many connections. */
  accept(socket: Socket): void {
    const { remoteAddress = '' } = socket;
    const network = this.#isProxy(remoteAddress) ? null : networkOf(remoteAddress);
    const count = network === null ? 0 : (this.#counts.get(network) ?? 0);
    if (count >= this.#limits.maxConnectionsPerNetwork) {
      this.#refused += 1;
      socket.destroy();
      return;
    }
    this.#open.add(socket);
    if (network !== null) this.#counts.set(network, count + 1);
    socket.once('close', () => {
      this.#open.delete(socket);
      if (network !== null) this.#countClosed(network);
    });
  }

  /** Counts a connection that Node has refused because of `maxConnections`. */
  countRefused(): void {
    this.#refused += 1;
  }

  /** Returns the number of connections that were refused since the last call. */
  drainRefused(): number {
    const refused = this.#refused;
    this.#refused = 0;
    return refused;
  }

  /** The TCP connection of a TLS socket, found by the client's address and port. */
  tcpSocketOf({ remoteAddress, remotePort }: Socket): Socket | undefined {
    for (const socket of this.#open) {
      if (socket.remotePort === remotePort && socket.remoteAddress === remoteAddress) return socket;
    }
    return undefined;
  }

  destroyAll(): void {
    for (const socket of this.#open) socket.destroy();
  }

  #countClosed(network: string): void {
    const count = (this.#counts.get(network) ?? 0) - 1;
    if (count > 0) this.#counts.set(network, count);
    else this.#counts.delete(network);
  }
}
