import { MILLISECONDS } from '../../../domain/time.js';
import { putAscii, putNumber, putTwoDigits, ROOM } from './put-text.js';

/** Number of bytes from which a piece is worth sending. */
const PIECE = 65_536;
/** Number of characters up to which a loop takes less time than the call of `Buffer.write`. */
const SHORT = 40;
const COMMA = 0x2c;
const COLON = 0x3a;
const Z = 0x5a;

/**
 * Writes numbers and times as text into bytes. JSON.stringify of the same columns takes several times as long, and all of
 * the memory at once.
 */
export class TextWriter {
  #bytes: Buffer;
  #at = 0;
  /** The hour of the last time, in hours since 1970, and its text: `2013-01-01T06:`. */
  #hour = Number.NaN;
  #hourText = '';

  /** @param capacity expected number of bytes; the writer grows where there are more */
  constructor(capacity = PIECE) {
    this.#bytes = Buffer.allocUnsafeSlow(capacity + ROOM);
  }

  /** Whether there are enough bytes for a piece. */
  get isFull(): boolean {
    return this.#at >= PIECE;
  }

  /** Returns what has been written since the last call. */
  take(): Buffer {
    const piece = this.#bytes.subarray(0, this.#at);
    this.#bytes = Buffer.allocUnsafeSlow(PIECE + ROOM);
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

  /** One character of ASCII. */
  character(code: number): void {
    this.#reserve(1)[this.#at] = code;
    this.#at += 1;
  }

  /** A number as JSON has it, but with the sign of -0; NaN and infinity, which conversion can give, as `absent`. */
  number(value: number, absent: string): void {
    const bytes = this.#reserve(ROOM);
    this.#at = Number.isFinite(value) ? putNumber(bytes, this.#at, value) : putAscii(bytes, this.#at, absent);
  }

  /**
   * Numbers as `number`, with a comma before each.
   *
   * @param convert is applied to each of them; undefined for none
   */
  numbers(values: Float64Array, convert: ((value: number) => number) | undefined, absent: string): void {
    const room = absent.length + ROOM;
    let bytes = this.#bytes;
    let at = this.#at;
    for (let index = 0; index < values.length; index += 1) {
      if (at + room > bytes.length) {
        this.#at = at;
        bytes = this.#reserve(room);
      }
      bytes[at] = COMMA;
      at += 1;
      const stored = values[index] as number;
      const value = convert === undefined ? stored : convert(stored);
      at = Number.isFinite(value) ? putNumber(bytes, at, value) : putAscii(bytes, at, absent);
    }
    this.#at = at;
  }

  /** `2013-01-01T06:00:00Z`, with milliseconds where there are any. */
  time(time: number): void {
    const bytes = this.#reserve(ROOM);
    const hour = Math.floor(time / MILLISECONDS.hour);
    if (hour !== this.#hour) {
      this.#hour = hour;
      this.#hourText = new Date(hour * MILLISECONDS.hour).toISOString().slice(0, -10);
    }
    let at = putAscii(bytes, this.#at, this.#hourText);
    const rest = time - hour * MILLISECONDS.hour;
    const seconds = (rest / 1000) | 0;
    const minute = (seconds / 60) | 0;
    at = putTwoDigits(bytes, at, minute);
    bytes[at] = COLON;
    at = putTwoDigits(bytes, at + 1, seconds - minute * 60);
    const milliseconds = rest - seconds * 1000;
    if (milliseconds !== 0) at = putAscii(bytes, at, `.${String(milliseconds).padStart(3, '0')}`);
    bytes[at] = Z;
    this.#at = at + 1;
  }

  /** Makes room for so many bytes. */
  #reserve(length: number): Buffer {
    if (this.#at + length > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(this.#at + length + ROOM, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, this.#at);
      this.#bytes = larger;
    }
    return this.#bytes;
  }
}
