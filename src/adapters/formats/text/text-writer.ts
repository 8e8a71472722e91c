import { MILLISECONDS } from '#domain/time.js';
import { putAscii, putNumber, putTwoDigits, MAX_TOKEN_BYTES } from './put-text.js';

/** Number of bytes from which a piece is large enough to be sent. */
const PIECE = 65_536;
/** Number of characters up to which a loop is faster than a call of `Buffer.write`. */
const SHORT = 40;
const COMMA = 0x2c;
const COLON = 0x3a;
const Z = 0x5a;

/**
 * Writes numbers and times as text into bytes. JSON.stringify takes several times as long for the same columns, and needs
 * memory for the whole text at once.
 */
export class TextWriter {
  readonly #capacity: number;
  /** The buffer. It is allocated by the first write after each `take`, so that an idle writer uses no memory. */
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  /** Day of the time that was written last, in days since 1970. */
  #day = Number.NaN;
  /** Text of the day of the time that was written last, for example `2013-01-01T`. */
  #dayText = '';

  /** @param capacity expected number of bytes; the buffer grows if there are more */
  constructor(capacity = PIECE) {
    this.#capacity = capacity;
  }

  /** Whether at least `PIECE` bytes have been written since the last call of `take`. */
  get isFull(): boolean {
    return this.#at >= PIECE;
  }

  /** Returns the bytes that have been written since the last call. */
  take(): Buffer {
    const piece = this.#bytes.subarray(0, this.#at);
    // Each call creates a new empty buffer. If nothing is written until the next call, that call returns this buffer. The caller
    // may then transfer it to another thread, so a buffer that all calls share would become useless.
    this.#bytes = Buffer.alloc(0);
    this.#at = 0;
    return piece;
  }

  text(text: string): void {
    const { length } = text;
    const bytes = this.#reserve(length * 3);
    for (let index = 0; index < length; index += 1) {
      const code = text.charCodeAt(index);
      if (code >= 0x80 || index === SHORT) {
        this.#at += index + bytes.write(text.slice(index), this.#at + index);
        return;
      }
      bytes[this.#at + index] = code;
    }
    this.#at += length;
  }

  /** Writes one ASCII character. */
  character(code: number): void {
    this.#reserve(1)[this.#at] = code;
    this.#at += 1;
  }

  /**
   * Writes a number as in JSON, except that -0 keeps its sign. NaN and infinity, which may result from a conversion,
   * are written as `absent`.
   */
  number(value: number, absent: string): void {
    const bytes = this.#reserve(MAX_TOKEN_BYTES);
    this.#at = Number.isFinite(value) ? putNumber(bytes, this.#at, value) : putAscii(bytes, this.#at, absent);
  }

  /**
   * Writes numbers as `number` does, each after a comma.
   *
   * @param convert converts each value; undefined means that the values are written unchanged
   */
  numbers(values: Float64Array, convert: ((value: number) => number) | undefined, absent: string): void {
    const needed = absent.length + MAX_TOKEN_BYTES;
    let bytes = this.#bytes;
    let at = this.#at;
    for (let index = 0; index < values.length; index += 1) {
      if (at + needed > bytes.length) {
        this.#at = at;
        bytes = this.#reserve(needed);
      }
      bytes[at] = COMMA;
      at += 1;
      const stored = values[index] as number;
      const value = convert === undefined ? stored : convert(stored);
      at = Number.isFinite(value) ? putNumber(bytes, at, value) : putAscii(bytes, at, absent);
    }
    this.#at = at;
  }

  /** Writes a time as `2013-01-01T06:00:00Z`, with milliseconds if they are not 0. */
  time(time: number): void {
    const bytes = this.#reserve(MAX_TOKEN_BYTES);
    const day = Math.floor(time / MILLISECONDS.day);
    if (day !== this.#day) {
      this.#day = day;
      this.#dayText = new Date(day * MILLISECONDS.day).toISOString().slice(0, -13);
    }
    const millisecondsOfDay = time - day * MILLISECONDS.day;
    const seconds = (millisecondsOfDay / 1000) | 0;
    const minutes = (seconds / 60) | 0;
    const hour = (minutes / 60) | 0;
    let at = putAscii(bytes, this.#at, this.#dayText);
    at = putTwoDigits(bytes, at, hour);
    bytes[at] = COLON;
    at = putTwoDigits(bytes, at + 1, minutes - hour * 60);
    bytes[at] = COLON;
    at = putTwoDigits(bytes, at + 1, seconds - minutes * 60);
    const milliseconds = millisecondsOfDay - seconds * 1000;
    if (milliseconds !== 0) at = putAscii(bytes, at, `.${String(milliseconds).padStart(3, '0')}`);
    bytes[at] = Z;
    this.#at = at + 1;
  }

  /** Enlarges the buffer if `length` more bytes do not fit. Returns the buffer. */
  #reserve(length: number): Buffer {
    if (this.#at + length > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(
        Math.max(this.#at + length, this.#capacity, this.#bytes.length * 2) + MAX_TOKEN_BYTES,
      );
      this.#bytes.copy(larger, 0, 0, this.#at);
      this.#bytes = larger;
    }
    return this.#bytes;
  }
}
