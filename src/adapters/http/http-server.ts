import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { refusalOf, rawReply } from './broken-request.js';
import { ProtocolError } from './errors.js';
import { attachExchange, type Exchange } from './exchange.js';
import type { Limits } from './limits.js';
import { type Reply, writeReply } from './reply.js';
import { normalizeTarget } from './target.js';
import type { Api, Mounted } from './transport.js';

/** Where the server writes what happened: one line a request. Fields never hold a body, a header or a raw path. */
export interface HttpLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface HttpServerOptions {
  readonly api: Api;
  readonly mounted: Mounted;
  readonly limits: Limits;
  readonly log: HttpLog;
  /** PEM texts. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
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
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ host, port }, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    const address = this.#server.address() as AddressInfo;
    const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
    return `${this.#options.tls ? 'https' : 'http'}://${name}:${address.port}`;
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
    await this.#options.mounted.close?.();
    return finished;
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
          minVersion: 'TLSv1.2',
          handshakeTimeout: limits.headersTimeout,
        })
      : createServer(options);
    server.timeout = limits.idleTimeout;
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
    void this.#options.api
      .otherwise({ message, response, params: {} })
      .then((reply) => writeReply(response, reply));
  }

  #write({ message, response }: Exchange, reply: Reply): void {
    void writeReply(response, message.method === 'HEAD' ? { ...reply, body: undefined } : reply);
  }

  #begin(message: IncomingMessage, response: ServerResponse): Exchange {
    const client = this.#options.clientOf(message);
    const startedAt = performance.now();
    const exchange: Exchange = { id: randomUUID(), client, startedAt, message, response, route: null };
    attachExchange(exchange);
    if (this.#draining) response.shouldKeepAlive = false;
    else this.#inFlight.add(exchange);
    response.once('close', () => this.#end(exchange));
    return exchange;
  }

  #end(exchange: Exchange): void {
    const { id, client, message, response, route, startedAt } = exchange;
    const status = response.headersSent ? response.statusCode : null;
    const ms = Math.round((performance.now() - startedAt) * 100) / 100;
    const fields = { id, client, method: message.method, route, status, ms };
    this.#options.log.info(response.writableFinished ? fields : { ...fields, aborted: true }, 'request');
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
    const id = randomUUID();
    this.#options.log.warn(
      { id, error: refusal.code, reason: error.code },
      'refused before it was a request',
    );
    socket.end(rawReply(refusal, id), () => socket.destroy());
  }
}

/**
 * Two Hosts, or two content types, are how one server is made to see another request than the next (RFC 9112,
 * section 3.2); Node keeps the first and drops the other.
 */
function assertSound({ rawHeaders, httpVersion }: IncomingMessage): void {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    // `GET /` and nothing more is HTTP/0.9, which the parser still takes.
    throw new ProtocolError('REQUEST_INVALID', 'The request is not valid HTTP/1.1.');
  }
  let hosts = 0;
  let types = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    else if (name.length === 12 && name.toLowerCase() === 'content-type') types += 1;
  }
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) {
    throw new ProtocolError('REQUEST_INVALID', 'A request has exactly one Host header.');
  }
  if (types > 1) throw new ProtocolError('REQUEST_INVALID', 'A request has at most one Content-Type header.');
}
