import { pause } from '../../pause.js';

/** Number of rows that are compared in one turn of the event loop. */
const ROWS_AT_ONCE = 16_384;

/** A row with the station and time of an earlier row of the request. Its values are added to that row. */
export interface Repetition {
  readonly index: number;
  /** The first row with this station and time. */
  readonly first: number;
  /** Whether a value of it replaces that of an earlier row with this station and time: both have a value of the same variable. */
  readonly replaces: boolean;
}

/**
 * Finds rows with the station and time of an earlier row.
 *
 * @param stations of each row
 * @param skipped a byte for each row; rows with another than 0 are passed over
 * @returns for each row the first one with its station and time; undefined where no two rows have them in common
 */
export async function firstOfEach(
  stations: Uint32Array,
  times: Float64Array,
  skipped: Uint8Array,
): Promise<Uint32Array | undefined> {
  if (areRising(stations, times, skipped)) return undefined;
  const firsts = Uint32Array.from({ length: times.length }, (_, row) => row);
  const seen = new Map<number, Map<number, number>>();
  let repeated = false;
  for (let row = 0; row < times.length; row += 1) {
    if (row > 0 && row % ROWS_AT_ONCE === 0) await pause();
    if (skipped[row] !== 0) continue;
    const station = stations[row] as number;
    let rows = seen.get(station);
    if (rows === undefined) seen.set(station, (rows = new Map()));
    const time = times[row] as number;
    const first = rows.get(time);
    if (first === undefined) rows.set(time, row);
    else {
      firsts[row] = first;
      repeated = true;
    }
  }
  return repeated ? firsts : undefined;
}

/**
 * Copies the columns and moves the values of repeated rows to the first row with the same time. The last value wins.
 *
 * @returns `replacing`: a byte for each row, 1 if it replaces a value that an earlier row has of the same variable
 */
export function foldRows<K>(
  columns: ReadonlyMap<K, Float64Array>,
  firsts: Uint32Array,
): { readonly values: Map<K, Float64Array>; readonly replacing: Uint8Array } {
  const replacing = new Uint8Array(firsts.length);
  const folded = new Map([...columns].map(([key, column]) => [key, column.slice()] as const));
  for (let row = 0; row < firsts.length; row += 1) {
    const first = firsts[row] as number;
    if (first === row) continue;
    for (const column of folded.values()) {
      if (Number.isNaN(column[row])) continue;
      if (!Number.isNaN(column[first])) replacing[row] = 1;
      column[first] = column[row] as number;
    }
  }
  return { values: folded, replacing };
}

/**
 * The rows that have the station and time of an earlier one.
 *
 * @param firsts as `firstOfEach` gives them
 * @param replacing as `foldRows` gives it
 * @param most repetitions that are listed
 */
export function repetitionsOf(
  firsts: Uint32Array | undefined,
  replacing: Uint8Array | undefined,
  most: number,
): { readonly repeated: number; readonly repetitions: readonly Repetition[] } {
  const repetitions: Repetition[] = [];
  let repeated = 0;
  for (let index = 0; index < (firsts?.length ?? 0); index += 1) {
    const first = firsts?.[index] ?? index;
    if (first === index) continue;
    repeated += 1;
    if (repetitions.length < most) repetitions.push({ index, first, replaces: replacing?.[index] === 1 });
  }
  return { repeated, repetitions };
}

/** Whether the times rise from row to row. Then no row is repeated, and no times have to be remembered. */
function areRising(stations: Uint32Array, times: Float64Array, skipped: Uint8Array): boolean {
  let last = -Infinity;
  for (let row = 0; row < times.length; row += 1) {
    if (skipped[row] !== 0) continue;
    if (stations[row] !== stations[0]) return false;
    if ((times[row] as number) <= last) return false;
    last = times[row] as number;
  }
  return true;
}
