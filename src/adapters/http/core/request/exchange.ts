import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ProtocolError } from '../errors.js';
import type { HeadText } from '../reply/head-text.js';

/** A request with its reply. */
export interface Exchange {
  /** Unique id of the request. It is logged and sent in the reply as `x-request-id`. */
  readonly id: string;
  /** Address of the client. Forwarding headers are used only behind a trusted proxy. */
  readonly client: string;
  /** Start of the request, in milliseconds of the process's monotonic clock. */
  readonly startedAt: number;
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  /** A refusal that was known before the request was routed. */
  readonly refusal: ProtocolError | undefined;
  /** Writes small replies; undefined if Node writes every reply. */
  readonly headText: HeadText | undefined;
  /**
   * The declared path that matched. The path of the request is not used, because it may contain a secret.
   */
  route: string | null;
  /** The value of `StreamBody.duration` of the endpoint; undefined for the time limit of all requests. */
  bodyDuration: number | undefined;
  /**
   * Ends a body that is read as a stream, because the rest of it cannot be parsed. Reading fails with the error after the bytes that
   * have arrived. Undefined if the body is not read as a stream.
   */
  failBody: ((error: ProtocolError) => void) | undefined;
  /** Whether the reply has been sent or the connection has closed. */
  ended: boolean;
  /** The previous and the next exchange in `InFlight`. */
  earlier: Exchange | undefined;
  later: Exchange | undefined;
}

const EXCHANGE = Symbol('exchange');

type Tracked = IncomingMessage & { [EXCHANGE]?: Exchange };

export function attachExchange(exchange: Exchange): void {
  (exchange.message as Tracked)[EXCHANGE] = exchange;
}

/** @throws Error if the message does not come from a `HttpServer` */
export function exchangeOf(message: IncomingMessage): Exchange {
  const exchange = (message as Tracked)[EXCHANGE];
  if (exchange === undefined) throw new Error('the message does not come from an HttpServer');
  return exchange;
}

/**
 * Whether a closed response was sent completely. The function must be called in the `close` event. At that time, the socket of a
 * broken connection is already destroyed, but the socket of a connection that ends after a complete reply is not destroyed yet.
 * `writableFinished` cannot be used, because it is true in both cases.
 */
export function isFullySent(response: ServerResponse): boolean {
  return !response.req.socket.destroyed;
}
