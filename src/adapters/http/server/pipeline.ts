import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Exchange } from '../core/request/exchange.js';
import type { Limits } from './limits.js';

/** The unanswered requests of one connection. */
interface Pipeline {
  current: Exchange | undefined;
  /** Requests after the current request, in the order of arrival. Only the last of these requests can have an incomplete body. */
  readonly waiting: Exchange[];
  /** Refuses the invalid bytes after the last request, once the requests are answered. */
  refusal: (() => void) | undefined;
}

const PIPELINE = Symbol('pipeline');

type Pipelined = Duplex & { [PIPELINE]?: Pipeline };

/**
 * Serves the requests of each connection one after the other (RFC 9112, section 9.3.2). The other requests of the connection
 * wait.
 *
 * - Below a limit of waiting requests, the connection is read, although its requests cannot be served yet. If the connection were
 *   not read, the operating system would not report that the client has disconnected.
 * - When the limit is reached, the connection is no longer read until a request has been served.
 *
 * Node alone would serve all requests at once, and would keep all replies in memory until the client reads the first reply. Node
 * also never closes the waiting responses when their connection closes.
 */
export class Pipelines {
  readonly #limits: Pick<Limits, 'maxPipelined' | 'maxWaiting'>;
  readonly #serve: (exchange: Exchange) => void;
  readonly #abandon: (exchange: Exchange) => void;
  #waiting = 0;

  /**
   * @param serve called for each exchange (a request with its reply), after the earlier exchanges of its connection
   * @param abandon called for each exchange whose connection closed before its turn
   */
  constructor(
    limits: Pick<Limits, 'maxPipelined' | 'maxWaiting'>,
    serve: (exchange: Exchange) => void,
    abandon: (exchange: Exchange) => void,
  ) {
    this.#limits = limits;
    this.#serve = serve;
    this.#abandon = abandon;
  }

  /** Serves an exchange at once, or after the earlier exchanges of its connection. */
  add(exchange: Exchange): void {
    const { socket } = exchange.message;
    const pipeline = ((socket as Pipelined)[PIPELINE] ??= this.#open(socket));
    if (pipeline.current === undefined) {
      pipeline.current = exchange;
      this.#serve(exchange);
      return;
    }
    pipeline.waiting.push(exchange);
    this.#waiting += 1;
    if (this.#isFull(pipeline)) socket.pause();
    if (this.#waiting > this.#limits.maxWaiting) socket.destroy();
  }

  /** To be called when the response of the exchange has closed. */
  end({ message: { socket } }: Exchange): void {
    const pipeline = (socket as Pipelined)[PIPELINE];
    if (pipeline === undefined) return;
    pipeline.current = undefined;
    // The socket is no longer writable if the connection ends after this reply or the client has disconnected. No further request
    // of the connection is served.
    if (!socket.writable) return;
    const next = pipeline.waiting.shift();
    if (next !== undefined) this.#waiting -= 1;
    pipeline.current = next;
    const { refusal } = pipeline;
    if (refusal !== undefined && next?.message.complete !== true) {
      refusal();
    } else if (next !== undefined) {
      if (socket.isPaused() && !this.#isFull(pipeline)) socket.resume();
      this.#serve(next);
    }
  }

  /** The exchange that is being served on this socket, if any. */
  static currentOf(socket: Duplex): Exchange | undefined {
    return (socket as Pipelined)[PIPELINE]?.current;
  }

  /** Calls `refusal` for bytes that cannot be parsed, after the earlier requests of the connection have been answered. */
  static refuseInTurn(socket: Duplex, refusal: () => void): void {
    const pipeline = (socket as Pipelined)[PIPELINE];
    // The refusal waits only for the reply to an earlier request. There is no earlier request if no request is being served, or
    // if the invalid bytes are in the body of the current request.
    if (pipeline?.current?.message.complete !== true) {
      refusal();
      return;
    }
    pipeline.refusal = refusal;
    socket.pause();
  }

  /** Whether the connection must not be read. */
  #isFull({ waiting, refusal }: Pipeline): boolean {
    return waiting.length >= this.#limits.maxPipelined || refusal !== undefined;
  }

  #open(socket: Socket): Pipeline {
    const pipeline: Pipeline = { current: undefined, waiting: [], refusal: undefined };
    // A connection that must not be read is paused. Node nevertheless resumes the connection when Node discards the rest of the
    // body of an answered request. The connection is then paused again.
    socket.on('resume', () => {
      if (this.#isFull(pipeline)) socket.pause();
    });
    socket.once('close', () => {
      this.#waiting -= pipeline.waiting.length;
      for (const exchange of pipeline.waiting.splice(0)) this.#abandon(exchange);
    });
    return pipeline;
  }
}
