import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { DomainError } from '#domain/domain-error.js';
import type { UploadReceiver } from '../receiver.js';
import type { ReceivedRequest } from '../request/request-head.js';
import { type Placed, type PlaceLimits, Places } from './places.js';
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

export interface UploadLimits extends PlaceLimits {
  /** Milliseconds for a whole request. */
  readonly requestTimeout: number;
  /** Milliseconds for the client to read a reply. */
  readonly replyTimeout: number;
  /** Milliseconds between two reports of connections. */
  readonly reportInterval: number;
}

/** A request has at most 16 KiB, so that all places take 64 MiB. A connection that waits takes about 6 KB. */
export const UPLOAD_LIMITS: UploadLimits = {
  places: 4096,
  // Several consoles stand behind one router.
  placesOfNetwork: 64,
  waiting: 4096,
  waitingOfNetwork: 1024,
  idleTime: 1000,
  waitingTime: 10_000,
  requestTimeout: 10_000,
  replyTimeout: 2000,
  reportInterval: 10_000,
};
/** Milliseconds between two looks at connections that keep their place without work while others wait. */
const SWEEP_INTERVAL = 250;

/**
 * Plain HTTP for consoles. It has sockets of its own, because the parser of Node.js refuses half of the malformed requests that
 * consoles send. One connection has one request.
 */
export class UploadServer {
  readonly #options: UploadServerOptions;
  readonly #limits: UploadLimits;
  readonly #server: Server;
  readonly #places: Places;
  readonly #open = new Set<Placed>();
  #report: NodeJS.Timeout | undefined;
  #sweep: NodeJS.Timeout | undefined;
  #tls = 0;
  #refused = 0;
  #onEmpty: (() => void) | undefined;

  constructor(options: UploadServerOptions) {
    this.#options = options;
    this.#limits = options.limits ?? UPLOAD_LIMITS;
    // Half-open: a client that has sent its request may close its half before the reply.
    const socketOptions = { allowHalfOpen: true, noDelay: true, pauseOnConnect: true };
    this.#server = createServer(socketOptions, (socket) => this.#accept(socket));
    this.#places = new Places(
      this.#limits,
      () => performance.now(),
      () => (this.#refused += 1),
    );
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
    this.#sweep = setInterval(() => {
      if (this.#places.isCrowded) this.#places.sweep();
    }, SWEEP_INTERVAL).unref();
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
    for (const connection of this.#open) if (connection.idleSince !== undefined) connection.giveUp();
    let timer: NodeJS.Timeout | undefined;
    const finished = await Promise.race([
      this.#finish().then(() => true),
      new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), deadline))),
    ]);
    clearTimeout(timer);
    for (const connection of this.#open) connection.giveUp();
    clearInterval(this.#report);
    clearInterval(this.#sweep);
    this.#reportConnections();
    return finished;
  }

  async #finish(): Promise<void> {
    if (this.#open.size > 0) await new Promise<void>((resolve) => (this.#onEmpty = resolve));
    await this.#options.receiver.idle();
  }

  /** Serves a connection when it has a place. It is not read before. */
  #accept(socket: Socket): void {
    const startedAt = performance.now();
    let connection: UploadConnection | undefined;
    const placed: Placed = {
      begin: () => {
        connection = this.#connectionOf(socket, startedAt);
        socket.resume();
      },
      get idleSince() {
        return connection === undefined ? startedAt : connection.idleSince;
      },
      giveUp: () => void socket.destroy(),
    };
    // A client that leaves while its connection waits.
    socket.on('error', () => socket.destroy());
    this.#open.add(placed);
    const leave = this.#places.enter(placed, this.#options.networkOf(socket.remoteAddress ?? ''));
    socket.once('close', () => {
      this.#open.delete(placed);
      leave();
      if (this.#open.size === 0) this.#onEmpty?.();
    });
  }

  #connectionOf(socket: Socket, startedAt: number): UploadConnection {
    let client = socket.remoteAddress ?? '';
    const { receiver, networkOf } = this.#options;
    return new UploadConnection(socket, {
      ...this.#limits,
      onFault: () => {
        // Behind a proxy only the head tells the address.
        if (networkOf(client) !== null) receiver.countUnreadable(client);
      },
      serve: (request: ReceivedRequest) => {
        client = this.#options.clientOf(socket, request.headers);
        return receiver.execute(request, client);
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
