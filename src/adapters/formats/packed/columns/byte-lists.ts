import { DamagedBlobError } from '../blob.js';

/**
 * Integers of variable length: seven bits in each byte, the lowest first. The highest bit of a byte is set if another
 * byte follows. A signed number n is written as 2n, or as -2n - 1 if it is negative.
 */
export class ByteWriter {
  readonly bytes: number[] = [];

  /** Writes an unsigned number. @param number from 0 to 2^53 - 1 */
  number(number: number): void {
    let remaining = number;
    while (remaining >= 128) {
      this.bytes.push((remaining % 128) + 128);
      remaining = Math.floor(remaining / 128);
    }
    this.bytes.push(remaining);
  }

  /** Writes a signed number. @param number absolute value below 2^52 */
  signed(number: number): void {
    this.number(number < 0 ? -2 * number - 1 : 2 * number);
  }
}

/** Reads the output of a `ByteWriter`. */
export class ByteReader {
  at: number;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  /** @throws DamagedBlobError at the end of the bytes */
  byte(): number {
    if (this.at >= this.#bytes.length) throw new DamagedBlobError('it is too short');
    return this.#bytes[this.at++] as number;
  }

  /** @throws DamagedBlobError at the end of the bytes, or if the number is above 2^53 - 1 */
  number(): number {
    const first = this.byte();
    if (first < 128) return first;
    let number = first - 128;
    for (let factor = 128; ; factor *= 128) {
      const byte = this.byte();
      number += (byte & 127) * factor;
      if (number > Number.MAX_SAFE_INTEGER) throw new DamagedBlobError('a number in it is too large');
      if (byte < 128) return number;
    }
  }

  /** @throws DamagedBlobError */
  signed(): number {
    const number = this.number();
    return number % 2 === 0 ? number / 2 : -(number + 1) / 2;
  }
}
