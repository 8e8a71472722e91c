import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { DomainError } from '#domain/domain-error.js';
import type { UploadReceiver } from '../receiver.js';
import type { ReceivedRequest } from '../request/request-head.js';
import { type Entry, type ConnectionLimits, ConnectionPermits } from './places.js';
import { UploadConnection } from './upload-connection.js';
import type { UploadLog } from './upload-log.js';

export interface UploadServerOptions {
  readonly receiver: Pick<UploadReceiver, 'execute' | 'idle' | 'countUnreadable'>;
  /** What shares the places of an address; null for an address from which many clients come, such as a trusted proxy. */
  readonly networkOf: (address: string) => string | null;
  /** The client's address: that of the socket, or of a header behind a trusted proxy. */
  readonly clientOf: (socket: Socket, headers: ReadonlyMap<string, string>) => string;
  readonly log: UploadLog;
  readonly limits?: UploadLimits;
}

export interface UploadLimits extends ConnectionLimits {
  /** Milliseconds for a whole request, and until it is served. */
  readonly requestTimeout: number;
  /** Milliseconds for the client to read a reply. */
  readonly replyTimeout: number;
  /** Milliseconds between two reports of connections. */
  readonly reportInterval: number;
}

/** A request has at most 16 KiB, so that all connections take 80 MiB. One that is silent takes about 6 KB. */
export const UPLOAD_LIMITS: UploadLimits = {
  places: 1024,
  // Several consoles stand behind one router.
  placesOfNetwork: 64,
  others: 4096,
  othersOfNetwork: 1024,
  requestTimeout: 10_000,
  replyTimeout: 2000,
  reportInterval: 10_000,
};

/**
 * Plain HTTP for consoles. It has sockets of its own, because the parser of Node.js refuses half of the malformed requests that
 * consoles send. One connection has one request.
 */
export class UploadServer {
  readonly #options: UploadServerOptions;
  readonly #limits: UploadLimits;
  readonly #server: Server;
  readonly #places: ConnectionPermits;
  readonly #open = new Map<Socket, UploadConnection>();
  #report: NodeJS.Timeout | undefined;
  #tls = 0;
  #refused = 0;
  #onEmpty: (() => void) | undefined;

  constructor(options: UploadServerOptions) {
    this.#options = options;
    this.#limits = options.limits ?? UPLOAD_LIMITS;
    // Half-open: a client that has sent its request may close its half before the reply.
    const socketOptions = { allowHalfOpen: true, noDelay: true };
    this.#server = createServer(socketOptions, (socket) => this.#accept(socket));
    this.#places = new ConnectionPermits(this.#limits, () => (this.#refused += 1));
  }

  /**
   * Listens. Resolves to the URL, with the real port when `port` is 0.
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
    if (!this.#server.listening) throw new DomainError('SERVICE_UNAVAILABLE', 'It no longer listens.');
  }

  /**
   * Ends in order: no new connections, requests that have not arrived yet are dropped, those that are being served get their
   * reply.
   *
   * @param deadline milliseconds after which everything is cut off
   * @returns whether everything finished in time
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

  /** Reads a connection, and serves its request when it has a place. */
  #accept(socket: Socket): void {
    // A client that leaves.
    socket.on('error', () => socket.destroy());
    const network = this.#options.networkOf(socket.remoteAddress ?? '');
    const entry = this.#places.enter(network, () => socket.destroy());
    this.#open.set(socket, this.#connectionOf(socket, entry));
    socket.once('close', () => {
      this.#open.delete(socket);
      entry.leave();
      if (this.#open.size === 0) this.#onEmpty?.();
    });
  }

  #connectionOf(socket: Socket, entry: Entry): UploadConnection {
    const startedAt = performance.now();
    let client = socket.remoteAddress ?? '';
    const { receiver, networkOf } = this.#options;
    return new UploadConnection(socket, {
      ...this.#limits,
      onFault: () => {
        // Behind a proxy only the head tells the address.
        if (networkOf(client) !== null) receiver.countUnreadable(client);
      },
      begin: () => entry.take(),
      serve: async (request: ReceivedRequest) => {
        client = this.#options.clientOf(socket, request.headers);
        const answer = await receiver.execute(request, client);
        entry.giveBack();
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
