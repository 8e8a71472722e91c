import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Reply } from './reply/reply.js';

export type { Headers, Reply } from './reply/reply.js';

/** A request, as a transport passes it to a handler. */
export interface Incoming {
  /** The message. Its body has not been read. */
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  /** Path parameters, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Handles a request. Returns the reply itself if no I/O is needed, otherwise a promise. Never throws or rejects: a failure
 * becomes an error reply.
 */
export type Handler = (incoming: Incoming) => Reply | Promise<Reply>;

export interface Route {
  /** Methods in upper case. Each route with GET also has HEAD, for which the handler omits the body. */
  readonly methods: readonly string[];
  /** Segments are literal or `:name`. Case and trailing slash must match exactly: the path with a slash is a separate route. */
  readonly path: string;
  readonly handle: Handler;
}

/** A compiled API: the routes that a transport serves. */
export interface Api {
  readonly routes: readonly Route[];
  /** Handles requests that match no route: 404, 405 and OPTIONS. */
  readonly otherwise: Handler;
  /** The reply to a failure in the transport itself. */
  fail(error: unknown, message: IncomingMessage): Reply;
}

/** The result of mounting an API on a transport. */
export interface Mounted {
  /** Routes one message to its handler and writes the reply. */
  readonly dispatch: (message: IncomingMessage, response: ServerResponse) => void;
  /** The classes from which the server creates its request and response objects. Undefined means the classes of Node. */
  readonly classes?: {
    readonly IncomingMessage: typeof IncomingMessage;
    readonly ServerResponse: typeof ServerResponse;
  };
  /** Releases the resources of the transport. It is called after the server has stopped. */
  close?(): Promise<void>;
}

/**
 * A way to route requests: Express, Fastify, or an external module whose default export has this type. A transport only
 * translates, so that all transports behave alike. `HttpServer` is responsible for sockets, limits and time-outs. The handlers
 * are responsible for bodies, validation and errors.
 */
export interface Transport {
  readonly name: string;
  mount(api: Api): Mounted | Promise<Mounted>;
}
