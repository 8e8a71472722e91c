import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ProtocolError } from '../core/errors.js';
import { checkedHeadText } from '../core/reply/head-text-check.js';
import type { HeadText } from '../core/reply/head-text.js';
import { writeReply } from '../core/reply/reply.js';
import { attachExchange, type Exchange, isFullySent } from '../core/request/exchange.js';
import { nextRequestId } from '../core/request/request-id.js';
import { normalizeTarget } from '../core/request/target.js';
import type { Api } from '../core/transport.js';
import { PLAIN_HTTP, rawReply, refusalOf } from './broken-request.js';
import { Connections } from './connections.js';
import type { HttpLog } from './http-log.js';
import { InFlight } from './in-flight.js';
import { Listener } from './listen.js';
import { createNodeServer, type NodeServerOptions } from './node-server.js';
import { Pipelines } from './pipeline.js';
import { SlowClients } from './slow-clients.js';
import { assertAsterisk, assertValidHeaders } from './valid-request.js';
import { MIN_TLS_VERSION, type TlsPair } from './tls.js';

export interface HttpServerOptions extends NodeServerOptions {
  readonly api: Api;
  readonly log: HttpLog;
  /** The client's address. It differs from the address of the socket only behind a trusted proxy. */
  readonly clientOf: (message: IncomingMessage) => string;
  /** Whether an address is a trusted proxy, which forwards the requests of many clients. */
  readonly isProxy?: (address: string) => boolean;
}

/**
 * Owns the sockets of one API. Handles limits, time-outs, malformed requests, request ids, the request log and an orderly
 * shutdown. All of this is the same with Express, Fastify and any other router; see `Transport`.
 */
export class HttpServer {
  readonly listener: Listener;
  readonly #options: HttpServerOptions;
  readonly #server: Server;
  readonly #connections: Connections;
  readonly #pipelines: Pipelines;
  readonly #slowClients: SlowClients;
  /** All methods of the routes. */
  readonly #methods: ReadonlySet<string>;
  /** The sockets from which requests are read. With TLS they are the TLS sockets. */
  readonly #sockets = new Set<Socket>();
  /** The requests without a complete reply, in the order of arrival. */
  readonly #inFlight = new InFlight();
  readonly #headText: HeadText | undefined;
  #timer: NodeJS.Timeout | undefined;
  #draining = false;

  constructor(options: HttpServerOptions) {
    const { api, limits, log, mounted, isProxy = () => false } = options;
    this.#options = options;
    this.#connections = new Connections(limits, isProxy);
    this.#pipelines = new Pipelines(
      limits,
      (exchange) => this.#serve(exchange),
      (exchange) => this.#end(exchange),
    );
    this.#slowClients = new SlowClients(limits);
    this.#methods = new Set(api.routes.flatMap(({ methods }) => methods));
    this.#server = this.#create();
    this.listener = new Listener(this.#server, options.tls === undefined ? 'http' : 'https');
    const Response = mounted.classes?.ServerResponse ?? ServerResponse;
    this.#headText = checkedHeadText(Response, limits.keepAliveTimeout);
    if (this.#headText === undefined) log.headTextRefused();
  }

  /**
   * Listens on a port. Resolves to the URL, with the assigned port if `port` is 0.
   *
   * @throws NodeJS.ErrnoException for example EADDRINUSE, EACCES or EADDRNOTAVAIL
   */
  async listen(host: string, port: number): Promise<string> {
    const url = await this.listener.listen(host, port);
    this.#startChecks();
    return url;
  }

  /**
   * Listens on a Unix domain socket that its owner and group may use. A socket without a listening process is replaced.
   *
   * @throws NodeJS.ErrnoException for example EADDRINUSE, EACCES or ENOENT
   */
  async listenOnSocket(path: string): Promise<string> {
    const url = await this.listener.listenOnSocket(path);
    this.#startChecks();
    return url;
  }

  /**
   * Shuts the server down:
   *
   * - Idle connections and connections with an incomplete request close at once.
   * - Requests in progress are finished, and then their connections close. Until then the port stays open, so that a load
   *   balancer receives a 503 and not a refused connection.
   * - Requests that are still running after `deadline` milliseconds are cut off.
   *
   * @returns whether all requests finished in time
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
    const finished = await this.#inFlight.finish(deadline);
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
      // Node does not count connections in a TLS handshake as HTTP connections, so they are closed here.
      this.#connections.destroyAll();
    });
    clearInterval(this.#timer);
    await this.#options.mounted.close?.();
    return finished;
  }

  /** Sets the certificate for new connections. The server must have been created with a certificate. */
  setTls(pair: TlsPair): void {
    (this.#server as TlsServer).setSecureContext({ ...pair, minVersion: MIN_TLS_VERSION });
  }

  #startChecks(): void {
    this.#timer = setInterval(() => this.#check(), this.#options.limits.checkInterval).unref();
  }

  #check(): void {
    this.#slowClients.check(this.#inFlight, performance.now());
    const refused = this.#connections.drainRefused();
    if (refused > 0) this.#options.log.connectionsRefused(refused);
  }

  #create(): Server {
    const server = createNodeServer(this.#options);
    server.on('connection', (socket: Socket) => this.#connections.accept(socket));
    server.on('drop', () => this.#connections.countRefused());
    server.on(this.#options.tls ? 'secureConnection' : 'connection', (socket: Socket) => this.#track(socket));
    server.on('request', (message, response) => this.#receive(message, response));
    server.on('checkExpectation', (message, response) => this.#receive(message, response, EXPECTATION));
    server.on('clientError', (error, socket) => this.#refuse(error, socket));
    // Without a listener for CONNECT, Node closes the socket without a reply.
    server.on('connect', (_message, socket) => this.#refuse(new Error('CONNECT'), socket));
    return server;
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  }

  #receive(message: IncomingMessage, response: ServerResponse, refusal?: ProtocolError): void {
    // Requests of a closed connection are ignored: the parser still reports the requests in its buffer.
    if (message.socket.destroyed) return;
    this.#pipelines.add(this.#begin(message, response, refusal));
  }

  /**
   * Serves an exchange, which is a request with its reply. It is called when the earlier exchanges of the connection have ended.
   */
  #serve(exchange: Exchange): void {
    const { message, response, refusal } = exchange;
    if (this.#draining) response.shouldKeepAlive = false;
    try {
      if (refusal !== undefined) throw refusal;
      const isChunked = assertValidHeaders(message);
      message.url = normalizeTarget(message.url ?? '');
      if (message.url === '*') assertAsterisk(message);
      if (!isChunked) return this.#dispatch(message, response);
      // The reply waits until the parser has checked the bytes that arrived together with the headers. Without this wait, a fast
      // reply could be sent before an invalid chunk in these bytes is refused.
      setImmediate(() => message.socket.writable && this.#dispatch(message, response));
    } catch (error) {
      // After an invalid request it is not certain where the next request begins, so the connection closes.
      if (error instanceof ProtocolError) response.shouldKeepAlive = false;
      const reply = this.#options.api.fail(error, message);
      void writeReply(response, message.method === 'HEAD' ? { ...reply, body: undefined } : reply);
    }
  }

  #dispatch(message: IncomingMessage, response: ServerResponse): void {
    // Some routers fail for methods that no route has, for example RTSP methods. Requests with such methods do not reach the
    // router.
    if (this.#methods.has(message.method ?? '') && message.url !== '*') {
      this.#options.mounted.dispatch(message, response);
      return;
    }
    const reply = this.#options.api.otherwise({ message, response, params: {} });
    void Promise.resolve(reply).then((resolved) => writeReply(response, resolved));
  }

  #begin(message: IncomingMessage, response: ServerResponse, refusal: ProtocolError | undefined): Exchange {
    const exchange: Exchange = {
      id: nextRequestId(),
      client: this.#options.clientOf(message),
      startedAt: performance.now(),
      message,
      response,
      refusal,
      headText: this.#headText,
      route: null,
      bodyDuration: undefined,
      failBody: undefined,
      ended: false,
      earlier: undefined,
      later: undefined,
    };
    attachExchange(exchange);
    if (!this.#draining) this.#inFlight.add(exchange);
    response.on('close', () => {
      this.#end(exchange);
      this.#pipelines.end(exchange);
    });
    return exchange;
  }

  #end(exchange: Exchange): void {
    // This function may be called twice for a request that waits for an earlier reply: when the connection closes, and when the
    // response closes later. Only the first call logs the request.
    if (exchange.ended) return;
    exchange.ended = true;
    const { id, client, message, response, route, startedAt } = exchange;
    this.#options.log.request({
      id,
      client,
      method: message.method ?? '',
      route,
      status: response.headersSent ? response.statusCode : null,
      milliseconds: performance.now() - startedAt,
      aborted: !isFullySent(response),
    });
    this.#inFlight.delete(exchange);
  }

  /**
   * Lets a request with a long body continue, although the time limit of all requests is over. Node checks this limit only once
   * for each request, so the limit of the endpoint has a timer of its own.
   *
   * @returns whether the request continues
   */
  #extend(error: NodeJS.ErrnoException, socket: Duplex): boolean {
    const exchange = Pipelines.currentOf(socket);
    if (error.code !== 'ERR_HTTP_REQUEST_TIMEOUT' || exchange?.bodyDuration === undefined) return false;
    const { startedAt, bodyDuration, message, response } = exchange;
    const remaining = startedAt + bodyDuration - performance.now();
    if (remaining <= 0 || message.complete || response.headersSent) return false;
    const timer = setTimeout(() => {
      if (!exchange.ended && !message.complete) this.#refuse(error, socket);
    }, remaining).unref();
    response.once('close', () => clearTimeout(timer));
    return true;
  }

  #refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
    if (this.#extend(error, socket)) return;
    const refusal = refusalOf(error);
    const writable = error.code === PLAIN_HTTP ? this.#connections.tcpSocketOf(socket as Socket) : socket;
    if (refusal === undefined || writable?.writable !== true) return void socket.destroy();
    Pipelines.refuseInTurn(socket, () => {
      const exchange = Pipelines.currentOf(socket);
      if (exchange?.response.headersSent === true) {
        socket.destroy();
        return;
      }
      // The endpoint replies, because it has already used the earlier part of the body. After a fault that is not of the parser,
      // such as a time-out, more bytes may arrive, so the body cannot end.
      if (exchange?.failBody !== undefined && error.code?.startsWith('HPE_') === true) {
        exchange.response.shouldKeepAlive = false;
        exchange.failBody(refusal);
        return;
      }
      const id = nextRequestId();
      this.#options.log.refusal(id, refusal.code, error.code);
      writable.end(rawReply(refusal, id), () => socket.destroy());
    });
  }
}

const EXPECTATION = new ProtocolError(
  'EXPECTATION_FAILED',
  'The only supported value of the header Expect is 100-continue.',
);
