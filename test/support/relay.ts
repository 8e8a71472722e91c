import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Forwards TCP connections to a server. A test can close these connections. */
export class Relay {
  readonly url: string;
  readonly #server: Server;
  readonly #incoming: ReadonlySet<Socket>;

  private constructor(server: Server, incoming: ReadonlySet<Socket>) {
    this.#server = server;
    this.#incoming = incoming;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(target: string): Promise<Relay> {
    const sockets = new Set<Socket>();
    const { hostname, port } = new URL(target);
    const server = createServer((incoming) => {
      const outgoing = connect(Number(port), hostname);
      sockets.add(incoming);
      for (const [socket, other] of [[incoming, outgoing] as const, [outgoing, incoming] as const]) {
        socket.on('error', () => undefined);
        socket.once('close', () => {
          sockets.delete(socket);
          other.destroy();
        });
        socket.pipe(other);
      }
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Relay(server, sockets);
  }

  /**
   * Completes all open replies with a last chunk. The EventSource of Node.js connects again only after a complete reply, and not
   * after a broken connection.
   */
  endBodies(): void {
    for (const socket of this.#incoming) socket.end('0\r\n\r\n');
  }

  /** Breaks all connections. New connections are forwarded. */
  cut(): void {
    for (const socket of this.#incoming) socket.destroy();
  }

  async close(): Promise<void> {
    this.#server.close();
    this.cut();
    await once(this.#server, 'close');
  }
}
