import type { Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';
import type { MessagePort } from './channel.js';
import { messageLength, MessageReader } from './message-reader.js';

/** Largest message in bytes. A commit of the largest number of rows with all variables has less. */
const LARGEST = 64 * 1024 * 1024;
/** Bytes of messages under way beyond which no further ones are read. */
const MAX_UNDER_WAY = 16 * 1024 * 1024;
/** Bytes that each message counts at least, because its answer needs memory too. */
const MIN_BYTES = 64 * 1024;
/** Milliseconds within which each side greets, also one that is busy. */
export const GREETING_TIMEOUT = 10_000;
/** The first message of both sides, before its version. In all versions, it is a text of UTF-8. */
const GREETING = 'weatherd ';

const ENDED =
  'The service ended the connection at once: it stops, or many commands use it at the same time. Run the command again.';

/** The program at the other end is of another version, so it may have other messages. */
export class OtherVersionError extends Error {
  override readonly name = 'OtherVersionError';
  readonly version: string;

  constructor(version: string) {
    super(`version ${version}`);
    this.version = version;
  }
}

/** One end of a connection between two processes of the same version that do not know each other. Each greets at once. */
export class SocketPort implements MessagePort {
  /** Resolves when the other end has greeted. Rejects with OtherVersionError, or with Error if the connection ends before. */
  readonly greeted: Promise<void>;
  /** Resolves when the connection has ended and all messages have been handled. */
  readonly closed: Promise<void>;
  readonly #socket: Socket;
  readonly #version: string;
  readonly #messages = new MessageReader(LARGEST);
  readonly #underWay = new Set<Promise<void>>();
  #bytes = 0;
  #receiver: ((message: unknown) => Promise<void>) | undefined;
  #isGreeted = false;
  #isEnding = false;
  #greet: { resolve: () => void; reject: (error: Error) => void } | undefined;

  constructor(socket: Socket, version: string) {
    this.#socket = socket;
    this.#version = version;
    this.greeted = new Promise((resolve, reject) => (this.#greet = { resolve, reject }));
    this.greeted.catch(() => undefined);
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        this.#greet?.reject(new Error(ENDED));
        resolve(this.#settled());
      });
    });
    // `close` follows.
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => this.#take(chunk));
    this.#write(Buffer.from(GREETING + version));
  }

  send(message: unknown, sent: (error: Error | null) => void): void {
    const bytes = serialize(message);
    if (bytes.length > LARGEST) return sent(new Error(`a message of ${bytes.length} bytes is too large`));
    // An error ends the connection, and with it all that waits for an answer.
    this.#write(bytes, () => sent(null));
  }

  onMessage(receiver: (message: unknown) => Promise<void>): void {
    this.#receiver = receiver;
  }

  /** Reads no further messages, and ends the connection when those under way have been handled. */
  async end(): Promise<void> {
    this.#isEnding = true;
    this.#socket.pause();
    await this.#settled();
    this.#socket.end();
    // What has not been read keeps the connection from ending by itself.
    this.#socket.once('finish', () => this.#socket.destroy());
    await this.closed;
  }

  /** Ends the connection at once. */
  destroy(): void {
    this.#socket.destroy();
  }

  #write(bytes: Uint8Array, written?: () => void): void {
    this.#socket.cork();
    this.#socket.write(messageLength(bytes.length));
    this.#socket.write(bytes, written);
    this.#socket.uncork();
  }

  #take(chunk: Buffer): void {
    try {
      for (const bytes of this.#messages.add(chunk)) {
        if (this.#isGreeted) this.#receive(bytes);
        else this.#readGreeting(bytes.toString());
      }
    } catch {
      this.#socket.destroy();
    }
  }

  /** @throws OtherVersionError */
  #readGreeting(text: string): void {
    const other = text.startsWith(GREETING) ? text.slice(GREETING.length) : 'unknown';
    if (other !== this.#version) {
      const error = new OtherVersionError(other);
      this.#greet?.reject(error);
      throw error;
    }
    this.#isGreeted = true;
    this.#greet?.resolve();
  }

  #receive(bytes: Buffer): void {
    const message: unknown = deserialize(bytes);
    const weight = Math.max(bytes.length, MIN_BYTES);
    this.#bytes += weight;
    if (this.#bytes > MAX_UNDER_WAY) this.#socket.pause();
    const handled = this.#receiver?.(message) ?? Promise.resolve();
    // A message that cannot be handled is none of this version.
    const handling = handled
      .catch(() => void this.#socket.destroy())
      .finally(() => {
        this.#underWay.delete(handling);
        this.#bytes -= weight;
        if (this.#bytes <= MAX_UNDER_WAY && !this.#isEnding) this.#socket.resume();
      });
    this.#underWay.add(handling);
  }

  async #settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }
}
