import type { TextLine } from '../text/line-reader.js';
import { shortNumberIn } from '../text/number.js';

/** The fields of a record by their position, from 0. An array of texts has this interface. */
export interface Fields {
  readonly length: number;
  at(place: number): string | undefined;
}

/**
 * The fields of an ASCII line without quotes. Numbers are read from the bytes, and a field becomes a text only when it is
 * requested. Most fields of a file are numbers, and creating a text for each of them would take longer than all other work of
 * reading.
 */
export class LineFields implements Fields {
  readonly #delimiter: number;
  #text = '';
  #bytes: Uint8Array = new Uint8Array(0);
  #length = 0;
  /** Offset of each field in the bytes. The last entry is the end of the line plus 1. */
  #starts = new Uint32Array(64);

  /** @param delimiter a single ASCII character */
  constructor(delimiter: string) {
    this.#delimiter = delimiter.charCodeAt(0);
  }

  get length(): number {
    return this.#length;
  }

  /** Sets the line, which must have no quotes. @returns false if a character of the line may have several bytes */
  open({ text, bytes, from }: TextLine): boolean {
    if (bytes === undefined) return false;
    const end = from + text.length;
    const delimiter = this.#delimiter;
    let [starts, count] = [this.#starts, 1];
    starts[0] = from;
    for (let at = from; at < end; at += 1) {
      if (bytes[at] !== delimiter) continue;
      if (count === starts.length - 1) starts = this.#grow();
      starts[count++] = at + 1;
    }
    starts[count] = end + 1;
    this.#text = text;
    this.#bytes = bytes;
    this.#length = count;
    return true;
  }

  at(place: number): string | undefined {
    if (place >= this.#length) return undefined;
    const from = this.#starts[0] as number;
    return this.#text.slice(
      (this.#starts[place] as number) - from,
      (this.#starts[place + 1] as number) - 1 - from,
    );
  }

  /**
   * Reads a field as a number. Returns NaN if the field does not exist or is not a simple number such as `-12.5`; see
   * `shortNumber`.
   */
  number(place: number, decimalSign: number): number {
    if (place >= this.#length) return Number.NaN;
    const starts = this.#starts;
    const [from, to] = [starts[place] as number, (starts[place + 1] as number) - 1];
    return shortNumberIn(this.#bytes, from, to, decimalSign);
  }

  #grow(): Uint32Array<ArrayBuffer> {
    const starts = new Uint32Array(2 * this.#starts.length);
    starts.set(this.#starts);
    this.#starts = starts;
    return starts;
  }
}
