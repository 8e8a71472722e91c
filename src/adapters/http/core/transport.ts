import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Reply } from './reply/reply.js';

export type { Headers, Reply } from './reply/reply.js';

/** A request as a transport hands it over. */
export interface Incoming {
  /** Its body has not been read. */
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  /** Path parameters, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Handles a request. Returns the reply itself where no I/O is needed, otherwise a promise. Never throws or rejects: a failure
 * becomes an error reply.
 */
export type Handler = (incoming: Incoming) => Reply | Promise<Reply>;

export interface Route {
  /** Upper case. Every route with GET also has HEAD; the handler leaves out the body. */
  readonly methods: readonly string[];
  /** Segments are literal or `:name`. Matching is exact in case and in trailing slash: each form is a route. */
  readonly path: string;
  readonly handle: Handler;
}

/** A compiled API: the routes that a transport serves. */
export interface Api {
  readonly routes: readonly Route[];
  /** Answers whatever no route matches: 404, 405, OPTIONS. */
  readonly otherwise: Handler;
  /** The reply to a failure of the transport itself. */
  fail(error: unknown, message: IncomingMessage): Reply;
}

/** An API that is mounted on a transport. */
export interface Mounted {
  /** Routes one message to its handler and writes the reply. */
  readonly dispatch: (message: IncomingMessage, response: ServerResponse) => void;
  /** Classes that the server makes its messages from, when the transport wants its own. */
  readonly classes?: {
    readonly IncomingMessage: typeof IncomingMessage;
    readonly ServerResponse: typeof ServerResponse;
  };
  /** Releases the resources of the transport. It is called after the server has stopped. */
  close?(): Promise<void>;
}

/**
 * A way to route requests: Express, Fastify, or a module of somebody else's that exports one of these as its
 * default. It translates and decides nothing; sockets, limits and time-outs belong to `HttpServer` and bodies,
 * validation and errors to the handlers, so that transports cannot differ.
 */
export interface Transport {
  readonly name: string;
  mount(api: Api): Mounted | Promise<Mounted>;
}
