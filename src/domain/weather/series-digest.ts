import type { Series } from './series.js';

/** The number of rows of a station and their checksum. */
export interface SeriesSum {
  readonly rows: number;
  /** Checksum of all bits of times, values and flags: 16 hexadecimal digits. */
  readonly checksum: string;
}

/**
 * Computes a checksum of the rows of a station. The checksum does not depend on how the rows are divided into batches. It reveals
 * accidental differences, but does not protect against forgery.
 */
export class SeriesDigest {
  #rows = 0;
  #high = 0x243f6a88;
  #low = 0x13198a2e;

  /** Adds the rows from `from` to `to` (not included). Calls must be in order of time. */
  add({ times, values, flags }: Series, from: number, to: number): void {
    const columns = [...values].sort(([a], [b]) => a - b);
    const found = columns.map(([variable]) => flags.get(variable));
    const words = columns.map(([, column]) => wordsOf(column));
    const timeWords = wordsOf(times);
    this.#rows += to - from;
    for (let row = from; row < to; row += 1) {
      this.#mix(timeWords[2 * row] as number);
      this.#mix(timeWords[2 * row + 1] as number);
      for (let index = 0; index < columns.length; index += 1) {
        const [variable, column] = columns[index] as [number, Float64Array];
        if (Number.isNaN(column[row])) continue;
        this.#mix((variable << 8) | (found[index]?.[row] ?? 0));
        this.#mix((words[index] as Uint32Array)[2 * row] as number);
        this.#mix((words[index] as Uint32Array)[2 * row + 1] as number);
      }
    }
  }

  get sum(): SeriesSum {
    const text = (word: number) => (word >>> 0).toString(16).padStart(8, '0');
    return { rows: this.#rows, checksum: `${text(this.#high)}${text(this.#low)}` };
  }

  /** Applies the step of MurmurHash3 to both halves of the checksum, with different constants. */
  #mix(word: number): void {
    this.#high = step(this.#high, word, 0xcc9e2d51, 0x1b873593);
    this.#low = step(this.#low, word, 0x85ebca6b, 0xc2b2ae35);
  }
}

function step(state: number, word: number, first: number, second: number): number {
  let mixed = Math.imul(word, first);
  mixed = Math.imul((mixed << 15) | (mixed >>> 17), second);
  const next = state ^ mixed;
  return (Math.imul((next << 13) | (next >>> 19), 5) + 0xe6546b64) | 0;
}

/** The values as 32-bit words, two for each value. */
function wordsOf(column: Float64Array): Uint32Array {
  return new Uint32Array(column.buffer, column.byteOffset, 2 * column.length);
}
