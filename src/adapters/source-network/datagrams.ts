import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { SourceFailure } from '#domain/sources/source-failure.js';

type Received = (datagram: Uint8Array, sender: string) => void;

interface SharedSocket {
  readonly socket: Socket;
  readonly listeners: Set<Received>;
  readonly bound: Promise<void>;
}

/** Sockets that receive datagrams. All listeners of a port and an address share one. */
export class Datagrams {
  readonly #sockets = new Map<string, SharedSocket>();

  /**
   * Receives datagrams until the returned function is called.
   *
   * @param address the address of an interface; undefined for all
   * @throws SourceFailure if the port cannot be used
   */
  async listen(port: number, address: string | undefined, received: Received): Promise<() => void> {
    const key = `${address ?? ''} ${port}`;
    const shared = this.#sockets.get(key) ?? open(port, address);
    this.#sockets.set(key, shared);
    shared.listeners.add(received);
    const end = () => {
      shared.listeners.delete(received);
      if (shared.listeners.size > 0 || this.#sockets.get(key) !== shared) return;
      this.#sockets.delete(key);
      shared.socket.close();
    };
    try {
      await shared.bound;
    } catch (error) {
      shared.listeners.delete(received);
      if (this.#sockets.get(key) === shared) this.#sockets.delete(key);
      throw new SourceFailure(
        `The service cannot listen on the UDP port ${port} (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`,
      );
    }
    return end;
  }
}

function open(port: number, address: string | undefined): SharedSocket {
  // Several programs of one machine may listen to the broadcasts of a hub.
  const socket = createSocket({
    type: address !== undefined && isIPv6(address) ? 'udp6' : 'udp4',
    reuseAddr: true,
  });
  const listeners = new Set<Received>();
  socket.on('message', (datagram, { address: sender }) => {
    for (const received of listeners) received(datagram, sender);
  });
  const bound = new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(port, address, () => {
      socket.off('error', reject);
      // After the binding an error of the socket concerns one datagram only.
      socket.on('error', () => undefined);
      resolve();
    });
  });
  return { socket, listeners, bound };
}
