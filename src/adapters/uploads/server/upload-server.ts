import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { DomainError } from '#domain/domain-error.js';
import type { UploadReceiver } from '../receiver.js';
import type { ReceivedRequest } from '../request/request-head.js';
import { type ConnectionEntry, type ConnectionLimits, ConnectionPermits } from './connection-permits.js';
import { UploadConnection } from './upload-connection.js';
import type { UploadLog } from './upload-log.js';

export interface UploadServerOptions {
  readonly receiver: Pick<UploadReceiver, 'execute' | 'idle' | 'countUnreadable'>;
  /**
   * Returns the network of an address. All connections of a network share a limit. Null for an address that many clients share,
   * such as a trusted proxy.
   */
  readonly networkOf: (address: string) => string | null;
  /** The address of the client: the address of the socket, or behind a trusted proxy the address in a header. */
  readonly clientOf: (socket: Socket, headers: ReadonlyMap<string, string>) => string;
  readonly log: UploadLog;
  readonly limits?: UploadLimits;
}

export interface UploadLimits extends ConnectionLimits {
  /** Maximum time, in milliseconds, from the start of a connection until its request is complete and may be served. */
  readonly requestTimeout: number;
  /** Maximum time, in milliseconds, in which the client must read a reply. */
  readonly replyTimeout: number;
  /** Milliseconds between two reports of connections. */
  readonly reportInterval: number;
}

/**
 * There are at most 5,120 connections: 1,024 whose request is being served (they have a permit) and 4,096 others. A request has
 * at most 16 KiB, so all requests need at most 80 MiB of memory. A connection without data needs about 6 KB.
 */
export const UPLOAD_LIMITS: UploadLimits = {
  permits: 1024,
  // A network may have more than one permit (the right to be served), because several consoles may be behind one router.
  permitsOfNetwork: 64,
  connectionsWithoutPermit: 4096,
  connectionsWithoutPermitOfNetwork: 1024,
  requestTimeout: 10_000,
  replyTimeout: 2000,
  reportInterval: 10_000,
};

/**
 * A server of plain HTTP for consoles. It reads sockets itself, because the parser of Node.js refuses half of the malformed
 * requests that consoles send. Each connection has one request.
 */
export class UploadServer {
  readonly #options: UploadServerOptions;
  readonly #limits: UploadLimits;
  readonly #server: Server;
  readonly #permits: ConnectionPermits;
  readonly #open = new Map<Socket, UploadConnection>();
  #report: NodeJS.Timeout | undefined;
  #tls = 0;
  #refused = 0;
  #onEmpty: (() => void) | undefined;

  constructor(options: UploadServerOptions) {
    this.#options = options;
    this.#limits = options.limits ?? UPLOAD_LIMITS;
    // The socket stays half-open, because a client may close its half of the connection after its request and before the reply.
    const socketOptions = { allowHalfOpen: true, noDelay: true };
    this.#server = createServer(socketOptions, (socket) => this.#accept(socket));
    this.#permits = new ConnectionPermits(this.#limits, () => (this.#refused += 1));
  }

  /**
   * Starts to listen. Resolves to the URL, with the real port if `port` is 0.
   *
   * @throws NodeJS.ErrnoException EADDRINUSE, EACCES, EADDRNOTAVAIL …
   */
  async listen(host: string, port: number): Promise<string> {
    this.#server.listen({ host, port });
    await once(this.#server, 'listening');
    this.#report = setInterval(() => this.#reportConnections(), this.#limits.reportInterval).unref();
    const { address, family, port: bound } = this.#server.address() as AddressInfo;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`;
  }

  /** @throws DomainError SERVICE_UNAVAILABLE if consoles can no longer connect */
  assertListening(): void {
    if (!this.#server.listening)
      throw new DomainError('SERVICE_UNAVAILABLE', 'The listener for uploads no longer accepts connections.');
  }

  /**
   * Stops the server: it accepts no new connections, drops incomplete requests, and replies to requests that are being served.
   *
   * @param deadline milliseconds after which all connections are closed
   * @returns whether all replies were sent in time
   */
  async close(deadline: number): Promise<boolean> {
    this.#server.close();
    for (const [socket, connection] of this.#open) if (!connection.isServed) socket.destroy();
    let timer: NodeJS.Timeout | undefined;
    const finished = await Promise.race([
      this.#finish().then(() => true),
      new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), deadline))),
    ]);
    clearTimeout(timer);
    for (const socket of this.#open.keys()) socket.destroy();
    clearInterval(this.#report);
    this.#reportConnections();
    return finished;
  }

  async #finish(): Promise<void> {
    if (this.#open.size > 0) await new Promise<void>((resolve) => (this.#onEmpty = resolve));
    await this.#options.receiver.idle();
  }

  /**
   * Reads the request of a new connection. The request is served as soon as the connection has a permit, which is the right to be
   * served. The number of permits is limited, for all connections together and for each network.
   */
  #accept(socket: Socket): void {
    // An error of the socket means that the client has closed the connection.
    socket.on('error', () => socket.destroy());
    const network = this.#options.networkOf(socket.remoteAddress ?? '');
    const entry = this.#permits.add(network, () => socket.destroy());
    this.#open.set(socket, this.#connectionOf(socket, entry));
    socket.once('close', () => {
      this.#open.delete(socket);
      entry.end();
      if (this.#open.size === 0) this.#onEmpty?.();
    });
  }

  #connectionOf(socket: Socket, entry: ConnectionEntry): UploadConnection {
    const startedAt = performance.now();
    let client = socket.remoteAddress ?? '';
    const { receiver, networkOf } = this.#options;
    return new UploadConnection(socket, {
      ...this.#limits,
      onFault: () => {
        // A request with an unreadable head is counted towards the limit of the address that has sent the request. If the
        // connection comes from a proxy, the address of the client is unknown, because only the head would contain it. So the
        // request is then not counted.
        if (networkOf(client) !== null) receiver.countUnreadable(client);
      },
      begin: () => entry.acquire(),
      serve: async (request: ReceivedRequest) => {
        client = this.#options.clientOf(socket, request.headers);
        const answer = await receiver.execute(request, client);
        entry.release();
        return answer;
      },
      onServed: (served) =>
        this.#options.log.request({ ...served, client, milliseconds: performance.now() - startedAt }),
      onTls: () => (this.#tls += 1),
    });
  }

  #reportConnections(): void {
    const counts = { refused: this.#refused, tls: this.#tls };
    this.#tls = this.#refused = 0;
    if (counts.refused > 0 || counts.tls > 0) this.#options.log.connections(counts);
  }
}
