import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A reverse proxy. Forwards each request to the next instance, and adds the address of the client. */
export class Proxy {
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** Starts a proxy. The proxy reports the request header `x-client` as the address of the client. */
  static async start(upstreams: readonly string[]): Promise<Proxy> {
    let turn = 0;
    const server = createServer((incoming, outgoing) => {
      const upstream = new URL(upstreams[(turn += 1) % upstreams.length] ?? '');
      const { 'x-client': client = '192.0.2.1', ...headers } = incoming.headers;
      const forwarded = request(
        {
          host: upstream.hostname,
          port: upstream.port,
          method: incoming.method,
          path: incoming.url,
          headers: { ...headers, 'x-forwarded-for': client },
        },
        (reply) => {
          outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
          reply.pipe(outgoing);
        },
      );
      incoming.pipe(forwarded);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Proxy(server);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
