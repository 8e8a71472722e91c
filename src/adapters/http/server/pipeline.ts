import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Exchange } from '../core/request/exchange.js';
import type { Limits } from './limits.js';

/** The requests that one connection has sent and that are not answered. */
interface Pipeline {
  current: Exchange | undefined;
  /** In the order of arrival. Only the last of them can have an incomplete body. */
  readonly waiting: Exchange[];
  /** Answers the bytes behind them, which are no request. */
  refusal: (() => void) | undefined;
}

const PIPELINE = Symbol('pipeline');

type Pipelined = Duplex & { [PIPELINE]?: Pipeline };

/**
 * Serves the requests of each connection one after the other (RFC 9112, section 9.3.2). While many wait the connection is not
 * read. Node itself would hand over every request at once, and would keep all their replies in memory until the client
 * reads the first of them. It also never closes the responses that wait when their connection closes.
 *
 * With few waiting the connection is still read, because only then the system tells that the client has left.
 */
export class Pipelines {
  readonly #limits: Pick<Limits, 'maxPipelined' | 'maxWaiting'>;
  readonly #serve: (exchange: Exchange) => void;
  readonly #abandon: (exchange: Exchange) => void;
  #waiting = 0;

  /**
   * @param serve called when an exchange has its turn
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
    // The connection ends: with the reply that has just gone out, or because the client has left.
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

  /** The exchange that is being served, if there is one. */
  static currentOf(socket: Duplex): Exchange | undefined {
    return (socket as Pipelined)[PIPELINE]?.current;
  }

  /** Calls `refusal` for a request that cannot be parsed, after the earlier requests of the connection have been answered. */
  static refuseInTurn(socket: Duplex, refusal: () => void): void {
    const pipeline = (socket as Pipelined)[PIPELINE];
    // The fault is in the body of the last request that has begun, or behind it.
    if (pipeline?.current?.message.complete !== true) {
      refusal();
      return;
    }
    pipeline.refusal = refusal;
    socket.pause();
  }

  /** Whether nothing more is to be read from the connection. */
  #isFull({ waiting, refusal }: Pipeline): boolean {
    return waiting.length >= this.#limits.maxPipelined || refusal !== undefined;
  }

  #open(socket: Socket): Pipeline {
    const pipeline: Pipeline = { current: undefined, waiting: [], refusal: undefined };
    // Node resumes the socket by itself when it discards the body of a request that was answered.
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
