import type { TextLine } from '../text/line-reader.js';
import { shortNumberIn } from '../text/number.js';

/** The fields of a record by their place. An array of texts is such fields, too. */
export interface Fields {
  readonly length: number;
  at(place: number): string | undefined;
}

/**
 * The fields of an ASCII line without quotes. Numbers are read from its bytes, and a text is made of a field only where it is
 * asked for: most fields of a file are numbers, and making texts of them takes longer than all the rest of reading.
 */
export class LineFields implements Fields {
  readonly #delimiter: number;
  #text = '';
  #bytes: Uint8Array = new Uint8Array(0);
  #length = 0;
  /** Place in the bytes of the first character of each field, and at the end that of the one behind the line, plus 1. */
  #starts = new Uint32Array(64);

  /** @param delimiter a single ASCII character */
  constructor(delimiter: string) {
    this.#delimiter = delimiter.charCodeAt(0);
  }

  get length(): number {
    return this.#length;
  }

  /** Goes on to another line. @returns whether it can be read so */
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

  /** The field as a number; NaN where there is no such field, or it has another form than that of `shortNumber`. */
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
