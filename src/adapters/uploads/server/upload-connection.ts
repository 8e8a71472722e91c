import type { Socket } from 'node:net';
import { LENGTH_REQUIRED, REPLIES, TIMED_OUT, TOO_LARGE, type UploadReply } from '../upload-reply.js';
import type { HeadFault, ReceivedRequest } from '../request/request-head.js';
import { RequestReader } from '../request/request-reader.js';
import { replyText } from './reply-text.js';

export interface ServedRequest {
  readonly method: string;
  readonly dialect: string | null;
  readonly status: number | null;
}

export interface ConnectionOptions {
  /** Maximum time, in milliseconds, from the start of the connection until the request is complete and may be served. */
  readonly requestTimeout: number;
  /** Maximum time, in milliseconds, in which the client must read the reply. */
  readonly replyTimeout: number;
  /** Called for a request that cannot be read. */
  readonly onFault: () => void;
  /** Resolves when a complete request may be served. */
  readonly begin: () => Promise<void>;
  /** Serves a request. Never rejects. */
  readonly serve: (request: ReceivedRequest) => Promise<{ reply: UploadReply; dialect: string | null }>;
  /** Called once, unless the client sent nothing or sent TLS. */
  readonly onServed: (served: ServedRequest) => void;
  readonly onTls: () => void;
}

const FAULTS: Readonly<Record<Exclude<HeadFault, 'tls'>, UploadReply>> = {
  invalid: REPLIES.invalid,
  length: LENGTH_REQUIRED,
  large: TOO_LARGE,
};

/** A connection with one request and one reply. */
export class UploadConnection {
  readonly #socket: Socket;
  readonly #options: ConnectionOptions;
  readonly #reader = new RequestReader();
  #timer: NodeJS.Timeout;
  /** Whether the request is complete or has failed. Further bytes of the socket are then discarded. */
  #isComplete = false;
  #isServed = false;

  constructor(socket: Socket, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#timer = setTimeout(() => this.#endLate(), options.requestTimeout);
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('end', () => this.#endIncomplete(REPLIES.invalid));
    socket.once('close', () => clearTimeout(this.#timer));
  }

  /** Whether the request is being served. */
  get isServed(): boolean {
    return this.#isServed;
  }

  #read(chunk: Buffer): void {
    // Bytes after the request are read but not used. If they were not read, closing the socket would reset the connection, and
    // the client could not read the reply.
    if (this.#isComplete) return;
    const request = this.#reader.push(chunk);
    if (request === undefined) return;
    this.#isComplete = true;
    if (request === 'tls') {
      this.#options.onTls();
      this.#socket.destroy();
    } else if (typeof request === 'string') {
      this.#options.onFault();
      this.#reply(FAULTS[request], '', null);
    } else {
      void this.#serve(request);
    }
  }

  async #serve(request: ReceivedRequest): Promise<void> {
    await this.#options.begin();
    if (this.#socket.destroyed) return;
    clearTimeout(this.#timer);
    this.#isServed = true;
    const { reply, dialect } = await this.#options.serve(request);
    this.#isServed = false;
    this.#reply(reply, request.method, dialect);
  }

  /**
   * Ends a connection that has reached its time limit: its request is not complete, or is complete but was not served, because
   * too many other requests are being served.
   */
  #endLate(): void {
    if (!this.#isComplete) return this.#endIncomplete(TIMED_OUT);
    this.#options.onServed({ method: '', dialect: null, status: null });
    this.#socket.destroy();
  }

  /** Ends a connection whose request is not complete. */
  #endIncomplete(reply: UploadReply): void {
    if (this.#isComplete) return;
    this.#isComplete = true;
    if (this.#reader.isEmpty) this.#socket.destroy();
    else this.#reply(reply, '', null);
  }

  #reply(reply: UploadReply, method: string, dialect: string | null): void {
    clearTimeout(this.#timer);
    const { writable } = this.#socket;
    this.#options.onServed({ method, dialect, status: writable ? reply.status : null });
    if (!writable) return void this.#socket.destroy();
    this.#timer = setTimeout(() => this.#socket.destroy(), this.#options.replyTimeout);
    this.#socket.end(replyText(reply, method));
  }
}
