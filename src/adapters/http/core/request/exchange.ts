import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ProtocolError } from '../errors.js';
import type { HeadText } from '../reply/head-text.js';

/** A request and its reply, from the first byte of the request to the last byte of the reply. */
export interface Exchange {
  /** Unique; sent in the reply as `x-request-id` and logged. */
  readonly id: string;
  /** Address of the client. Forwarding headers are used only behind a trusted proxy. */
  readonly client: string;
  /** Milliseconds of the process's monotonic clock. */
  readonly startedAt: number;
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  /** A reason to refuse the request for any route; known before the request is handled. */
  readonly refusal: ProtocolError | undefined;
  /** Writes small replies; undefined where Node writes them. */
  readonly headText: HeadText | undefined;
  /**
   * The declared path that matched. The path of the request is not used, because it may hold anything, even a token.
   */
  route: string | null;
  /** Whether the reply has been sent or the connection has closed. */
  ended: boolean;
  /** Its neighbors among the exchanges in flight. */
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
  if (exchange === undefined) throw new Error('a message that no HttpServer has received');
  return exchange;
}

/**
 * Whether a closed response was sent completely. It must be called in the `close` event: at that time a broken
 * connection is already gone, but one that has served its last request is not. `writableFinished` is true in both
 * cases.
 */
export function wentOut(response: ServerResponse): boolean {
  return !response.req.socket.destroyed;
}
