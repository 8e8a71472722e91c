import type { Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';
import type { MessagePort } from './channel.js';
import { messageLength, MessageReader } from './message-reader.js';

/**
 * Maximum length of a message in bytes. The longest messages contain rows that the other process must store. Even a message with
 * the maximum number of rows, and with values of all variables, is shorter.
 */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
/**
 * Maximum number of bytes of messages in progress, that is, of messages that were read but not handled yet. If there are more
 * bytes, no further messages are read.
 */
const MAX_IN_PROGRESS = 16 * 1024 * 1024;
/** Minimum number of bytes that are counted for a message in progress, because the answer to the message needs memory too. */
const MIN_COUNTED_BYTES = 64 * 1024;
/** Milliseconds within which each side must send its greeting, even if it is busy. */
export const GREETING_TIMEOUT = 10_000;
/** The first message of both sides is this word and the version. In all versions the first message is UTF-8 text. */
const GREETING = 'weatherd ';

const ENDED =
  'The service ended the connection at once: it stops, or many commands use it at the same time. Run the command again.';

/** The program at the other end has another version, so its messages may differ. */
export class OtherVersionError extends Error {
  override readonly name = 'OtherVersionError';
  readonly version: string;

  constructor(version: string) {
    super(`version ${version}`);
    this.version = version;
  }
}

/**
 * One end of a socket connection between two processes. Each side first sends a greeting with its version. Both versions must be
 * equal.
 */
export class SocketPort implements MessagePort {
  /**
   * Resolves when the greeting of the other end has arrived. Rejects with OtherVersionError, or with Error if the connection ends
   * before the greeting arrives.
   */
  readonly greeted: Promise<void>;
  /** Resolves when the connection has ended and all messages have been handled. */
  readonly closed: Promise<void>;
  readonly #socket: Socket;
  readonly #version: string;
  readonly #messages = new MessageReader(MAX_MESSAGE_BYTES);
  readonly #inProgress = new Set<Promise<void>>();
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
    // An error needs no handling here, because the event `close` follows.
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => this.#read(chunk));
    this.#write(Buffer.from(GREETING + version));
  }

  send(message: unknown, sent: (error: Error | null) => void): void {
    const bytes = serialize(message);
    if (bytes.length > MAX_MESSAGE_BYTES)
      return sent(
        new Error(`a message has ${bytes.length} bytes; the maximum is ${MAX_MESSAGE_BYTES} bytes`),
      );
    // A failed write needs no handling here: an error ends the connection, and all requests that wait for an answer are rejected.
    this.#write(bytes, () => sent(null));
  }

  onMessage(receiver: (message: unknown) => Promise<void>): void {
    this.#receiver = receiver;
  }

  /** Reads no further messages, and ends the connection when the messages in progress have been handled. */
  async end(): Promise<void> {
    this.#isEnding = true;
    this.#socket.pause();
    await this.#settled();
    this.#socket.end();
    // Unread bytes would keep the connection open, so the socket is destroyed after the last message was sent.
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

  #read(chunk: Buffer): void {
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
    const weight = Math.max(bytes.length, MIN_COUNTED_BYTES);
    this.#bytes += weight;
    if (this.#bytes > MAX_IN_PROGRESS) this.#socket.pause();
    const handled = this.#receiver?.(message) ?? Promise.resolve();
    // `handled` rejects if the message is not a message of a `Channel`. A program of the same version never sends such a message,
    // so the connection is closed.
    const handling = handled
      .catch(() => void this.#socket.destroy())
      .finally(() => {
        this.#inProgress.delete(handling);
        this.#bytes -= weight;
        if (this.#bytes <= MAX_IN_PROGRESS && !this.#isEnding) this.#socket.resume();
      });
    this.#inProgress.add(handling);
  }

  async #settled(): Promise<void> {
    await Promise.all(this.#inProgress);
  }
}
