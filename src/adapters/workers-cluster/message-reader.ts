/** Number of bytes of the length field before each message. The field is a 32-bit integer, little-endian. */
const LENGTH_BYTES = 4;

/** The bytes of the length field of a message. @param bytes the length of the message */
export function messageLength(bytes: number): Buffer {
  const length = Buffer.allocUnsafe(LENGTH_BYTES);
  length.writeUInt32LE(bytes);
  return length;
}

/** Splits the byte stream of a connection into messages. */
export class MessageReader {
  readonly #largest: number;
  readonly #length = Buffer.alloc(LENGTH_BYTES);
  /** The message that is not complete yet; undefined while the length of the next message is read. */
  #message: Buffer | undefined;
  #filled = 0;

  /** @param largest maximum length of a message in bytes */
  constructor(largest: number) {
    this.#largest = largest;
  }

  /**
   * Adds bytes of the connection.
   *
   * @returns the messages that `chunk` completes.
   * @throws Error for a message that is empty or too large
   */
  *add(chunk: Buffer): Generator<Buffer> {
    for (let at = 0; at < chunk.length;) {
      const target = this.#message ?? this.#length;
      const copied = chunk.copy(target, this.#filled, at);
      at += copied;
      this.#filled += copied;
      if (this.#filled < target.length) return;
      this.#filled = 0;
      const message = this.#message;
      this.#message = message === undefined ? this.#begin() : undefined;
      if (message !== undefined) yield message;
    }
  }

  #begin(): Buffer {
    const bytes = this.#length.readUInt32LE();
    if (bytes === 0 || bytes > this.#largest)
      throw new Error(`a message has ${bytes} bytes; it must have 1 to ${this.#largest} bytes`);
    // The message gets a buffer of its own. `Buffer.allocUnsafe` could return a part of the large buffer pool of Node.js instead.
    // Columns of values in the message use the memory of this buffer. If such a column is sent to a thread, the whole buffer
    // below it is copied: with the pool, this would be the whole pool.
    return Buffer.allocUnsafeSlow(bytes);
  }
}
