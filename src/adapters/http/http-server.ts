import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo, ListenOptions, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { refusalOf, rawReply } from './broken-request.js';
import { ProtocolError } from './errors.js';
import { attachExchange, type Exchange, wentOut } from './exchange.js';
import type { HttpLog } from './http-log.js';
import type { Limits } from './limits.js';
import { type Reply, writeReply } from './reply.js';
import { nextRequestId } from './request-id.js';
import { assertSound } from './sound-request.js';
import { removeStaleSocket } from './stale-socket.js';
import { normalizeTarget } from './target.js';
import { MIN_TLS_VERSION, type TlsPair } from './tls.js';
import type { Api, Mounted } from './transport.js';

export interface HttpServerOptions {
  readonly api: Api;
  readonly mounted: Mounted;
  readonly limits: Limits;
  readonly log: HttpLog;
  readonly tls?: TlsPair | undefined;
  /** The client's address; told apart from the socket's only behind a trusted proxy. */
  readonly clientOf: (message: IncomingMessage) => string;
}

/**
 * The sockets of one API: limits, time-outs, malformed requests, request ids, the request log and an orderly end.
 * All of it is the same whatever transport routes the requests.
 */
export class HttpServer {
  readonly #options: HttpServerOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #inFlight = new Set<Exchange>();
  #sweep: NodeJS.Timeout | undefined;
  #draining = false;
  #drained: (() => void) | undefined;

  constructor(options: HttpServerOptions) {
    this.#options = options;
    this.#server = this.#create();
  }

  /**
   * Listens. Resolves to the URL, with the real port when `port` is 0.
   *
   * @throws NodeJS.ErrnoException EADDRINUSE, EACCES, EADDRNOTAVAIL …
   */
  async listen(host: string, port: number): Promise<string> {
    await this.#listen({ host, port });
    const address = this.#server.address() as AddressInfo;
    const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
    return `${this.#options.tls ? 'https' : 'http'}://${name}:${address.port}`;
  }

  /**
   * Listens on a Unix domain socket that its owner and group may use. One that nobody listens on any more is replaced.
   *
   * @throws NodeJS.ErrnoException EADDRINUSE, EACCES, ENOENT …
   */
  async listenOnSocket(path: string): Promise<string> {
    await removeStaleSocket(path);
    // The socket is made within this call, and with the mode from its first moment on.
    const mask = process.umask(0o117);
    const listening = this.#listen({ path });
    process.umask(mask);
    await listening;
    return `unix:${path}`;
  }

  /**
   * Ends in order. Idle and half-sent connections close at once; work in flight is finished and its connections
   * closed; until then the port stays open, so that a load balancer reads a 503 and not a refused connection.
   * What is still running after `deadline` milliseconds is cut off.
   *
   * @returns whether everything finished in time
   */
  async close(deadline: number): Promise<boolean> {
    this.#draining = true;
    const idle = new Set(this.#sockets);
    for (const { message, response } of this.#inFlight) {
      if (!message.complete) continue;
      idle.delete(message.socket);
      response.shouldKeepAlive = false;
    }
    for (const socket of idle) socket.destroy();
    const finished = await this.#finishWork(deadline);
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
    clearInterval(this.#sweep);
    await this.#options.mounted.close?.();
    return finished;
  }

  /** Has new connections get another certificate. The server must have been made with one. */
  setTls(pair: TlsPair): void {
    (this.#server as TlsServer).setSecureContext({ ...pair, minVersion: MIN_TLS_VERSION });
  }

  async #listen(where: ListenOptions): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(where, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    this.#sweep = setInterval(() => this.#limitIdling(), this.#options.limits.checkInterval).unref();
  }

  /**
   * Sets the time-out for clients that do not read their reply, on those requests alone that have been under way for a
   * while: set for every request, as `server.timeout` does, it costs 4 % of the throughput.
   */
  #limitIdling(): void {
    const { checkInterval, idleTimeout } = this.#options.limits;
    const since = performance.now() - checkInterval;
    for (const exchange of this.#inFlight) {
      // The set is in the order of arrival.
      if (exchange.startedAt > since) return;
      const { socket } = exchange.message;
      if (socket.timeout !== idleTimeout) socket.setTimeout(idleTimeout);
    }
  }

  async #finishWork(deadline: number): Promise<boolean> {
    if (this.#inFlight.size === 0) return true;
    let timer: NodeJS.Timeout | undefined;
    const finished = await Promise.race([
      new Promise<true>((resolve) => (this.#drained = () => resolve(true))),
      new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), deadline))),
    ]);
    clearTimeout(timer);
    return finished;
  }

  #create(): Server {
    const { limits, mounted, tls } = this.#options;
    const options = {
      headersTimeout: limits.headersTimeout,
      requestTimeout: limits.requestTimeout,
      keepAliveTimeout: limits.keepAliveTimeout,
      connectionsCheckingInterval: limits.checkInterval,
      maxHeaderSize: limits.maxHeaderSize,
      // Checked here instead: Node's own answer to a missing Host has no body.
      requireHostHeader: false,
      ...mounted.classes,
    };
    const server = tls
      ? createTlsServer({
          ...options,
          ...tls,
          minVersion: MIN_TLS_VERSION,
          handshakeTimeout: limits.headersTimeout,
        })
      : createServer(options);
    server.maxConnections = limits.maxConnections;
    // Node drops headers beyond this number in silence; their size is limited already.
    server.maxHeadersCount = 0;
    server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => this.#track(socket));
    server.on('request', (message, response) => this.#receive(message, response));
    server.on('checkExpectation', (message, response) => {
      this.#receive(
        message,
        response,
        new ProtocolError('EXPECTATION_FAILED', 'Only 100-continue can be expected.'),
      );
    });
    server.on('clientError', (error, socket) => this.#refuse(error, socket));
    // CONNECT: without a listener Node closes the socket and says nothing.
    server.on('connect', (_message, socket) => this.#refuse(new Error('CONNECT'), socket));
    return server;
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  }

  #receive(message: IncomingMessage, response: ServerResponse, refusal?: ProtocolError): void {
    const exchange = this.#begin(message, response);
    try {
      if (refusal !== undefined) throw refusal;
      assertSound(message);
      message.url = normalizeTarget(message.url ?? '');
      if (message.url === '*') this.#answerAsterisk(message, response);
      else this.#options.mounted.dispatch(message, response);
    } catch (error) {
      // Whoever sends what cannot be understood may mean something else by the next bytes too.
      if (error instanceof ProtocolError) response.shouldKeepAlive = false;
      this.#write(exchange, this.#options.api.fail(error, message));
    }
  }

  /** `*` is the target of OPTIONS alone, and means the server as a whole; no router knows it. */
  #answerAsterisk(message: IncomingMessage, response: ServerResponse): void {
    if (message.method !== 'OPTIONS')
      throw new ProtocolError('REQUEST_INVALID', 'The request target is not valid.');
    const reply = this.#options.api.otherwise({ message, response, params: {} });
    void Promise.resolve(reply).then((known) => writeReply(response, known));
  }

  #write({ message, response }: Exchange, reply: Reply): void {
    void writeReply(response, message.method === 'HEAD' ? { ...reply, body: undefined } : reply);
  }

  #begin(message: IncomingMessage, response: ServerResponse): Exchange {
    const client = this.#options.clientOf(message);
    const startedAt = performance.now();
    const exchange: Exchange = { id: nextRequestId(), client, startedAt, message, response, route: null };
    attachExchange(exchange);
    if (this.#draining) response.shouldKeepAlive = false;
    else this.#inFlight.add(exchange);
    response.on('close', () => this.#end(exchange));
    return exchange;
  }

  #end(exchange: Exchange): void {
    const { id, client, message, response, route, startedAt } = exchange;
    this.#options.log.request({
      id,
      client,
      method: message.method ?? '',
      route,
      status: response.headersSent ? response.statusCode : null,
      milliseconds: performance.now() - startedAt,
      aborted: !wentOut(response),
    });
    if (this.#inFlight.delete(exchange) && this.#inFlight.size === 0) this.#drained?.();
  }

  #refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
    const refusal = refusalOf(error);
    const replying = [...this.#inFlight].some(
      (other) => other.message.socket === socket && other.response.headersSent,
    );
    if (refusal === undefined || !socket.writable || replying) {
      socket.destroy();
      return;
    }
    const id = nextRequestId();
    this.#options.log.refusal(id, refusal.code, error.code);
    socket.end(rawReply(refusal, id), () => socket.destroy());
  }
}
