import type { Socket } from 'node:net';
import { networkOf } from '../core/request/network.js';
import type { Limits } from './limits.js';

/** The open TCP connections of a server and their number for each network, including those before or in a TLS handshake. */
export class Connections {
  readonly #limits: Pick<Limits, 'maxConnectionsPerNetwork'>;
  readonly #isProxy: (address: string) => boolean;
  readonly #open = new Set<Socket>();
  readonly #counts = new Map<string, number>();
  #refused = 0;

  /** @param isProxy whether many clients come from this address; it has no share then */
  constructor(limits: Pick<Limits, 'maxConnectionsPerNetwork'>, isProxy: (address: string) => boolean) {
    this.#limits = limits;
    this.#isProxy = isProxy;
  }

  /** Takes a connection, or closes it where its network has too many. */
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
      if (network !== null) this.#leave(network);
    });
  }

  /** Counts a connection that the server has refused by itself. */
  countRefused(): void {
    this.#refused += 1;
  }

  /** The number of connections that were refused since the last call. */
  takeRefused(): number {
    const refused = this.#refused;
    this.#refused = 0;
    return refused;
  }

  /** The TCP connection below a TLS socket, by the client's address and port. */
  below({ remoteAddress, remotePort }: Socket): Socket | undefined {
    for (const socket of this.#open) {
      if (socket.remotePort === remotePort && socket.remoteAddress === remoteAddress) return socket;
    }
    return undefined;
  }

  destroyAll(): void {
    for (const socket of this.#open) socket.destroy();
  }

  #leave(network: string): void {
    const count = (this.#counts.get(network) ?? 0) - 1;
    if (count > 0) this.#counts.set(network, count);
    else this.#counts.delete(network);
  }
}
