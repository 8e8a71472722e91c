import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { DomainError } from '../../../domain/domain-error.js';
import type { UploadReceiver } from '../receiver.js';
import type { ReceivedRequest } from '../request/request-head.js';
import { UploadConnection } from './upload-connection.js';
import type { UploadLog } from './upload-log.js';

/** The connections of each address and their limit. */
export interface ConnectionLimit {
  /** Takes a connection, or destroys it where its address has too many. */
  accept(socket: Socket): void;
  /** Counts a connection that the server has refused by itself. */
  countRefused(): void;
  /** The number of connections that were refused since the last call. */
  takeRefused(): number;
}

export interface UploadServerOptions {
  readonly receiver: Pick<UploadReceiver, 'execute' | 'idle'>;
  readonly connections: ConnectionLimit;
  /** The client's address: that of the socket, or of a header behind a trusted proxy. */
  readonly clientOf: (socket: Socket, headers: ReadonlyMap<string, string>) => string;
  readonly log: UploadLog;
  readonly limits?: UploadLimits;
}

export interface UploadLimits {
  /** Connections of all addresses. */
  readonly maxConnections: number;
  /** Milliseconds for a whole request. */
  readonly requestTimeout: number;
  /** Milliseconds for the client to read a reply. */
  readonly replyTimeout: number;
  /** Milliseconds between two reports of connections. */
  readonly reportInterval: number;
}

export const UPLOAD_LIMITS: UploadLimits = {
  maxConnections: 4096,
  requestTimeout: 10_000,
  replyTimeout: 2000,
  reportInterval: 10_000,
};
/** Connections of one address: several consoles stand behind one router. */
export const MAX_CONNECTIONS_PER_ADDRESS = 64;

/**
 * Plain HTTP for consoles. It has sockets of its own, because the parser of Node.js refuses half of the malformed requests that
 * consoles send. One connection has one request.
 */
export class UploadServer {
  readonly #options: UploadServerOptions;
  readonly #limits: UploadLimits;
  readonly #server: Server;
  readonly #open = new Set<UploadConnection>();
  #report: NodeJS.Timeout | undefined;
  #tls = 0;
  #onEmpty: (() => void) | undefined;

  constructor(options: UploadServerOptions) {
    this.#options = options;
    this.#limits = options.limits ?? UPLOAD_LIMITS;
    // Half-open: a client that has sent its request may close its half before the reply.
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.#accept(socket));
    this.#server.maxConnections = this.#limits.maxConnections;
    this.#server.on('drop', () => options.connections.countRefused());
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
    for (const connection of this.#open) if (!connection.isServing) connection.destroy();
    let timer: NodeJS.Timeout | undefined;
    const finished = await Promise.race([
      this.#finish().then(() => true),
      new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), deadline))),
    ]);
    clearTimeout(timer);
    for (const connection of this.#open) connection.destroy();
    clearInterval(this.#report);
    this.#reportConnections();
    return finished;
  }

  async #finish(): Promise<void> {
    if (this.#open.size > 0) await new Promise<void>((resolve) => (this.#onEmpty = resolve));
    await this.#options.receiver.idle();
  }

  #accept(socket: Socket): void {
    this.#options.connections.accept(socket);
    if (socket.destroyed) return;
    const startedAt = performance.now();
    let client = socket.remoteAddress ?? '';
    const connection = new UploadConnection(socket, {
      ...this.#limits,
      serve: (request: ReceivedRequest) => {
        client = this.#options.clientOf(socket, request.headers);
        return this.#options.receiver.execute(request, client);
      },
      onServed: (served) =>
        this.#options.log.request({ ...served, client, milliseconds: performance.now() - startedAt }),
      onTls: () => (this.#tls += 1),
    });
    this.#open.add(connection);
    socket.once('close', () => {
      this.#open.delete(connection);
      if (this.#open.size === 0) this.#onEmpty?.();
    });
  }

  #reportConnections(): void {
    const counts = { refused: this.#options.connections.takeRefused(), tls: this.#tls };
    this.#tls = 0;
    if (counts.refused > 0 || counts.tls > 0) this.#options.log.connections(counts);
  }
}
