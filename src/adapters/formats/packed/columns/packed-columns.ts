import type { ByteReader } from './byte-lists.js';
import type { ColumnPacker, PackedContent } from './column-packer.js';
import { packIntegers } from './pack-integers.js';
import { PackedIntegers } from './packed-integers.js';
import { DICTIONARY, FLOATS, scaleColumn, scaleReader } from './scales.js';

/**
 * A column of values in a chunk or a run, the two kinds of blobs that contain rows (blob.ts). Its values are stored as integers
 * with a scale, such as tenths. If this is not possible, they are stored as floats, or as a dictionary: a list of the different
 * values, and for each row the position of its value in the list.
 *
 * The blob contains first the heads and later the bodies of all columns. The head of a column:
 *
 *     part        bytes      content
 *     variable    1 or more  number
 *     scale       1          how integers become values (scales.ts)
 *     integers    3 or more  form, width ... (packed-integers.ts); not for floats
 *     entries     1 or more  number of values in the list; only with a dictionary
 *
 * The body of the column is the body of the integers. With a dictionary the list of different values follows, as float64 with 8
 * bytes each. The body of floats is a float64 with 8 bytes for each row.
 */
export class PackedColumn {
  #variable = 0;
  #scale: number = FLOATS;
  readonly #integers = new PackedIntegers();
  /** Number of float64 numbers in the body. */
  #floats = 0;

  get variable(): number {
    return this.#variable;
  }

  /**
   * Reads a head. A column can read several heads, one after the other; only the last one counts.
   *
   * @throws DamagedBlobError
   */
  readHead(reader: ByteReader, rows: number): void {
    this.#variable = reader.number();
    const scale = reader.byte();
    this.#scale = scale;
    if (scale !== FLOATS) this.#integers.readHead(reader, rows);
    if (scale !== FLOATS && scale !== DICTIONARY) scaleReader(scale);
    this.#floats = scale === FLOATS ? rows : scale === DICTIONARY ? reader.number() : 0;
  }

  /** Bytes of the body of the column, which has its packed values. */
  get size(): number {
    return (this.#scale === FLOATS ? 0 : this.#integers.size) + this.#floats * 8;
  }

  /**
   * Reads the rows from `first` to `end` (not included) into the rows of `values` from `into` on.
   *
   * @param at offset of the body
   */
  read(
    content: PackedContent,
    at: number,
    first: number,
    end: number,
    values: Float64Array,
    into: number,
  ): void {
    if (this.#scale === FLOATS) {
      values.set(readFloats(content.bytes, at, first, end), into);
      return;
    }
    const integers = this.#integers;
    // The integers of a dictionary are positions in a list of values.
    const scale = this.#scale === DICTIONARY ? undefined : scaleReader(this.#scale);
    integers.read(content, at, scale?.divisor ?? 1, first, end, values, into);
    if (scale === undefined) {
      const entries = readFloats(content.bytes, at + integers.size, 0, this.#floats);
      const until = into + end - first;
      for (let row = into; row < until; row += 1) {
        const number = values[row] as number;
        if (!Number.isNaN(number)) values[row] = entries[number] as number;
      }
    } else {
      scale.unit?.toValues(values, into, into + end - first);
    }
  }
}

/** Copies the float64 numbers from `first` to `end` (not included) of a body at `at`, because they are not aligned. */
function readFloats(bytes: Uint8Array, at: number, first: number, end: number): Float64Array {
  const floats = new Float64Array(end - first);
  const from = at + first * 8;
  new Uint8Array(floats.buffer).set(bytes.subarray(from, from + floats.byteLength));
  return floats;
}

/**
 * Packs a column: adds its head and its body to the blob that `packer` collects.
 *
 * @param isThorough whether to use the form of the column with the fewest bytes, which may be readable only as a whole. Otherwise
 *   the form is fast to write, and some rows can be read without the other rows
 */
export function packColumn(
  packer: ColumnPacker,
  variable: number,
  values: Float64Array,
  isThorough: boolean,
): void {
  const { bytes } = packer.head;
  packer.head.number(variable);
  const scale = scaleColumn(variable, values, packer.column) ?? FLOATS;
  const at = bytes.push(scale) - 1;
  if (scale !== FLOATS && packIntegers(packer, isThorough)) return;
  const entries = isThorough ? listValues(values, packer.column.values) : undefined;
  if (entries === undefined) {
    bytes[at] = FLOATS;
    packer.add(bytesOf(values));
    return;
  }
  bytes[at] = DICTIONARY;
  packer.column.measure();
  packIntegers(packer, false);
  packer.head.number(entries.length);
  packer.add(bytesOf(entries));
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array) =>
  new Uint8Array(buffer, byteOffset, byteLength);

/**
 * When `listValues` has found more than this number of different values, it tests at each further different value whether a list
 * can still save space.
 */
const SAMPLE = 64;

/**
 * Lists the different values of a column, and writes to `numbers` for each row the position of its value in the list.
 *
 * @returns undefined if the list would not save space
 */
function listValues(values: Float64Array, numbers: Float64Array): Float64Array | undefined {
  // The key '-0' is needed, because a map does not distinguish -0 from 0.
  const known = new Map<number | '-0', number>();
  for (let row = 0; row < values.length; row += 1) {
    const value = values[row] as number;
    if (Number.isNaN(value)) {
      numbers[row] = value;
      continue;
    }
    const key = value === 0 && Object.is(value, -0) ? '-0' : value;
    let number = known.get(key);
    if (number === undefined) {
      number = known.size;
      known.set(key, number);
      if (number > SAMPLE && number > row * MAX_DIFFERENT_SHARE) return undefined;
    }
    numbers[row] = number;
  }
  if (known.size > values.length * MAX_DIFFERENT_SHARE) return undefined;
  return Float64Array.from(known.keys(), (key) => (key === '-0' ? -0 : key));
}

/** Largest share of different values in a column at which a list of the different values saves space. */
const MAX_DIFFERENT_SHARE = 0.7;
