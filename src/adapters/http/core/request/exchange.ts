import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ProtocolError } from '../errors.js';
import type { HeadText } from '../reply/head-text.js';

/** One request and its reply, from the first byte of the one to the last of the other. */
export interface Exchange {
  /** Unique; in the reply as `x-request-id` and in the log. */
  readonly id: string;
  /** Of the client, taken from forwarding headers only behind a trusted proxy. */
  readonly client: string;
  /** Milliseconds of the process's monotonic clock. */
  readonly startedAt: number;
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  /** Why it is refused whatever it asks for; known before its turn comes. */
  readonly refusal: ProtocolError | undefined;
  /** Writes replies; undefined where Node has to. */
  readonly headText: HeadText | undefined;
  /** The declared path that was matched. Not the one in the request: that may hold anything, a token too. */
  route: string | null;
  /** Whether it has ended: its reply is out, or its connection closed. */
  ended: boolean;
  /** Its neighbours among the exchanges in flight. */
  earlier: Exchange | undefined;
  later: Exchange | undefined;
}

const EXCHANGE = Symbol('exchange');

type Tracked = IncomingMessage & { [EXCHANGE]?: Exchange };

export function attachExchange(exchange: Exchange): void {
  (exchange.message as Tracked)[EXCHANGE] = exchange;
}

/** @throws Error when the message did not come through a `HttpServer` */
export function exchangeOf(message: IncomingMessage): Exchange {
  const exchange = (message as Tracked)[EXCHANGE];
  if (exchange === undefined) throw new Error('a message that no HttpServer has received');
  return exchange;
}

/**
 * Whether a response that has closed went out whole. Asked in that very moment: a connection that broke is gone by then,
 * and one that has served its last request is not yet. `writableFinished` says true of both.
 */
export function wentOut(response: ServerResponse): boolean {
  return !response.req.socket.destroyed;
}
