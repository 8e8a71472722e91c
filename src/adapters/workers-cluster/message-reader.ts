/** Bytes of the length before each message: a 32-bit integer, little-endian. */
const LENGTH_BYTES = 4;

/** @returns the length that stands before a message of so many bytes */
export function messageLength(bytes: number): Buffer {
  const length = Buffer.allocUnsafe(LENGTH_BYTES);
  length.writeUInt32LE(bytes);
  return length;
}

/** Finds the messages in the bytes of a connection. */
export class MessageReader {
  readonly #largest: number;
  readonly #length = Buffer.alloc(LENGTH_BYTES);
  /** The message that is not complete yet; undefined while its length is read. */
  #message: Buffer | undefined;
  #filled = 0;

  /** @param largest bytes of a message */
  constructor(largest: number) {
    this.#largest = largest;
  }

  /** @returns the messages that `chunk` completes. @throws Error for a message that is empty or too large */
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
    if (bytes === 0 || bytes > this.#largest) throw new Error(`a message of ${bytes} bytes`);
    // A buffer of its own: columns that are read from it share its memory, and threads get a copy of the whole.
    return Buffer.allocUnsafeSlow(bytes);
  }
}
