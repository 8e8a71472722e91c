import { ByteReader } from './byte-lists.js';
import { ColumnPacker, contentOf } from './column-packer.js';
import { packIntegers } from './pack-integers.js';
import { PackedIntegers } from './packed-integers.js';
import type { ColumnTarget } from './packed-series.js';

/**
 * The directory of a run. A run is a blob with rows of one or more stations (run-codec.ts), and the directory says which rows
 * belong to which station:
 *
 *     part      bytes      content
 *     stations  1 or more  number of stations
 *     heads     9 or more  heads of three columns of integers (packed-integers.ts): number of each station, first row of
 *                          each station, number of new rows of each station (`RunDirectory.inserted`)
 *     bodies               bodies of the three columns
 *     padding   0 to 3     zero, up to a multiple of 4 bytes
 */
export interface RunDirectory {
  /** Station numbers in rising order. */
  readonly stations: ArrayLike<number>;
  /** The first row of each station. */
  readonly starts: ArrayLike<number>;
  /** Number of new rows of each station. A row is new if its station had no row of the same time before. Undefined if unknown. */
  readonly inserted: ArrayLike<number> | undefined;
}

/** The content of a run (the packed rows of one commit), whatever its format version is. */
export interface RunContent {
  readonly directory: RunDirectory;
  readonly times: Float64Array;
  /** Number of variables. */
  readonly width: number;
  /** Reads the rows from `first` to `end` (not included) into the rows of `target` from `at` on. */
  decode(target: ColumnTarget, first: number, end: number, at: number): void;
}

/** The entry of a station in the directory of a run: the rows of the station begin at row `from` of the run. */
export interface RunKey {
  readonly station: number;
  readonly from: number;
  /** Number of new rows of the station, whose times had no row of the station before. */
  readonly inserted: number;
}

const FIELDS = ['station', 'from', 'inserted'] as const;

export function packDirectory(places: readonly RunKey[]): Uint8Array {
  const packer = new ColumnPacker(places.length, FIELDS.length);
  packer.head.number(places.length);
  for (const field of FIELDS) {
    for (let index = 0; index < places.length; index += 1) {
      packer.column.values[index] = (places[index] as RunKey)[field];
    }
    packer.column.measure();
    packIntegers(packer, true);
  }
  return new Uint8Array(packer.finish(0));
}

/** @param bytes begin at a multiple of 4 in their buffer @throws DamagedBlobError */
export function readDirectory(bytes: Uint8Array<ArrayBuffer>): RunDirectory {
  const reader = new ByteReader(bytes, 0);
  const count = reader.number();
  const columns = FIELDS.map(() => {
    const column = new PackedIntegers();
    column.readHead(reader, count);
    return column;
  });
  let { at } = reader;
  const [stations, starts, inserted] = columns.map((column) => {
    const numbers = new Float64Array(count);
    column.read(contentOf(bytes), at, 1, 0, count, numbers, 0);
    at += column.size;
    return numbers;
  }) as [Float64Array, Float64Array, Float64Array];
  return { stations, starts, inserted };
}
