import { type Factors, packDifferences, packedSize, packOffsets } from './bit-packing.js';
import { ENVELOPE } from '../blob.js';
import { ByteWriter } from './byte-lists.js';
import { IntegerColumn } from './integer-column.js';

/**
 * Memory of packers with few rows, such as a chunk. It is used again for every packer, because a merge packs thousands of chunks, and
 * new memory would take a tenth of the time.
 */
const FEW_ROWS = 2048;
const INTEGERS = new Float64Array(FEW_ROWS);
const WORDS = new Uint32Array(16_384);
const BYTES = new Uint8Array(WORDS.buffer);

/**
 * Collects the two parts of a blob. The head describes the columns: single bytes, and integers of variable length
 * (byte-lists.ts). The body has the packed values of the columns. Packers share memory: call `finish` before the next packer is created.
 */
export class ColumnPacker {
  readonly rows: number;
  readonly head = new ByteWriter();
  /** The integers of the current column. Packing changes them. */
  readonly column: IntegerColumn;
  #bytes: Uint8Array<ArrayBuffer>;
  #words: Uint32Array;
  #length = 0;

  /** @param columns expected number of columns */
  constructor(rows: number, columns: number) {
    this.rows = rows;
    this.column = new IntegerColumn(rows <= FEW_ROWS ? INTEGERS.subarray(0, rows) : new Float64Array(rows));
    // The first buffer has 16 bits for each value. Values of sensors rarely need more.
    const size = aligned4(rows * columns * 2 + 64);
    this.#bytes = size <= BYTES.length ? BYTES : new Uint8Array(size);
    this.#words = size <= BYTES.length ? WORDS : new Uint32Array(this.#bytes.buffer);
  }

  /** Adds the first `count` integers of the current column to the body. */
  pack(isDifferences: boolean, factors: Factors, width: number, count: number): void {
    const size = packedSize(count, width);
    this.#reserve(size);
    const write = isDifferences ? packDifferences : packOffsets;
    write(this.column.values, count, factors, width, this.#words, this.#length * 8);
    this.#length += size;
  }

  /** Adds bytes to the body. */
  add(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Writes head and body into a new buffer after `at` free bytes. The length of the buffer is a multiple of 4. */
  finish(at = ENVELOPE): ArrayBuffer {
    const { bytes: head } = this.head;
    const data = new Uint8Array(aligned4(at + head.length + this.#length));
    data.set(head, at);
    data.set(this.#bytes.subarray(0, this.#length), at + head.length);
    return data.buffer;
  }

  #reserve(size: number): void {
    // One more word is reserved, because `pack` writes whole words.
    const needed = this.#length + size + 4;
    if (needed <= this.#bytes.length) return;
    const bytes = new Uint8Array(aligned4(Math.max(needed, this.#bytes.length * 2)));
    bytes.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = bytes;
    this.#words = new Uint32Array(bytes.buffer);
  }
}

const aligned4 = (length: number): number => Math.ceil(length / 4) * 4;

/** The content of a blob as bytes and as words of 32 bits. */
export interface PackedContent {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly words: Uint32Array;
}

/** @param bytes begin at a multiple of 4 in their buffer */
export function contentOf(bytes: Uint8Array<ArrayBuffer>): PackedContent {
  return { bytes, words: new Uint32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 4)) };
}
