import { MILLISECONDS } from '../../../domain/time.js';
/** Bytes after which a piece is handed over. */
const PIECE = 65_536;
/** Room for the longest number, name or time, and what stands around it. */
const MARGIN = 512;

/**
 * Puts numbers and times as text straight into bytes, in pieces. JSON.stringify of the same columns takes several times as
 * long, and all of the memory at once.
 */
export class TextWriter {
  #bytes = Buffer.allocUnsafe(PIECE + MARGIN);
  #at = 0;
  #day = Number.NaN;
  #date = '';

  /** Whether it is time to `take` a piece. */
  get isFull(): boolean {
    return this.#at >= PIECE;
  }

  /** What has been written since the last time. */
  take(): Buffer {
    const piece = this.#bytes.subarray(0, this.#at);
    this.#bytes = Buffer.allocUnsafe(PIECE + MARGIN);
    this.#at = 0;
    return piece;
  }

  /** @param text of at most half of a piece */
  text(text: string): void {
    if (this.#at + text.length * 3 > this.#bytes.length) this.#grow(text.length * 3);
    this.#at += this.#bytes.write(text, this.#at);
  }

  /** One character of ASCII. */
  character(code: number): void {
    this.#bytes[this.#at] = code;
    this.#at += 1;
  }

  /** A number as JSON has it, but with the sign of -0; NaN as `absent`. */
  number(value: number, absent: string): void {
    if (Number.isNaN(value)) {
      this.text(absent);
      return;
    }
    const scaled = Math.round(value * 1000);
    if (scaled / 1000 === value && Math.abs(scaled) < 1e12 && scaled !== 0) this.#thousandths(scaled);
    else if (Object.is(value, -0)) this.text('-0');
    else this.text(String(value));
  }

  /** `2013-01-01T06:00:00Z`, with milliseconds where there are any. */
  time(time: number): void {
    const day = Math.floor(time / MILLISECONDS.day);
    if (day !== this.#day) {
      this.#day = day;
      this.#date = new Date(day * MILLISECONDS.day).toISOString().slice(0, -14);
    }
    for (let index = 0; index < this.#date.length; index += 1) this.character(this.#date.charCodeAt(index));
    const millisecondsOfDay = time - day * MILLISECONDS.day;
    const seconds = Math.floor(millisecondsOfDay / 1000);
    this.character(0x54);
    this.#twoDigits(Math.floor(seconds / 3600));
    this.character(0x3a);
    this.#twoDigits(Math.floor(seconds / 60) % 60);
    this.character(0x3a);
    this.#twoDigits(seconds % 60);
    const milliseconds = millisecondsOfDay - seconds * 1000;
    if (milliseconds !== 0) this.text(`.${String(milliseconds).padStart(3, '0')}`);
    this.character(0x5a);
  }

  #thousandths(scaled: number): void {
    let remaining = scaled;
    if (remaining < 0) {
      this.character(0x2d);
      remaining = -remaining;
    }
    const whole = Math.floor(remaining / 1000);
    this.#digits(whole);
    const fraction = remaining - whole * 1000;
    if (fraction === 0) return;
    this.character(0x2e);
    this.character(0x30 + Math.floor(fraction / 100));
    if (fraction % 100 === 0) return;
    this.character(0x30 + (Math.floor(fraction / 10) % 10));
    if (fraction % 10 !== 0) this.character(0x30 + (fraction % 10));
  }

  #digits(value: number): void {
    let size = 1;
    for (let power = 10; power <= value; power *= 10) size += 1;
    let remaining = value;
    for (let place = this.#at + size - 1; place >= this.#at; place -= 1) {
      const above = Math.floor(remaining / 10);
      this.#bytes[place] = 0x30 + (remaining - above * 10);
      remaining = above;
    }
    this.#at += size;
  }

  #twoDigits(value: number): void {
    this.character(0x30 + Math.floor(value / 10));
    this.character(0x30 + (value % 10));
  }

  #grow(length: number): void {
    const larger = Buffer.allocUnsafe(this.#at + length + MARGIN);
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}
