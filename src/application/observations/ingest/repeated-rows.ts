import { pause } from '../../pause.js';

/** Number of rows that are compared in one turn of the event loop. */
const ROWS_AT_ONCE = 16_384;

/** A row with the same station and time as an earlier row of the request. Both are stored as one row, and the later values win. */
export interface Repetition {
  readonly index: number;
  /** Index of the first row with this station and time. */
  readonly first: number;
  /** Whether the row replaces a value: this row and an earlier one have a value of the same variable. */
  readonly replaces: boolean;
}

/**
 * Finds rows with the same station and time as an earlier row.
 *
 * @param stations station number of each row
 * @param skipped a byte for each row; a row whose byte is not 0 is skipped
 * @returns for each row the index of the first row with the same station and time; undefined if no row repeats another one
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
 * Copies the columns and moves the values of repeated rows to the first row with the same station and time. The last value wins.
 *
 * @returns `replacing` has a byte for each row: 1 if the row replaces a value of the same variable in an earlier row
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
 * Lists and counts the repeated rows.
 *
 * @param firsts result of `firstOfEach`
 * @param replacing result of `foldRows`
 * @param limit maximum number of listed repetitions
 */
export function repetitionsOf(
  firsts: Uint32Array | undefined,
  replacing: Uint8Array | undefined,
  limit: number,
): { readonly repeated: number; readonly repetitions: readonly Repetition[] } {
  const repetitions: Repetition[] = [];
  let repeated = 0;
  for (let index = 0; index < (firsts?.length ?? 0); index += 1) {
    const first = firsts?.[index] ?? index;
    if (first === index) continue;
    repeated += 1;
    if (repetitions.length < limit) repetitions.push({ index, first, replaces: replacing?.[index] === 1 });
  }
  return { repeated, repetitions };
}

/**
 * Whether the rows that are not skipped are all of one station, with rising times. Then no row is repeated, and no times need to
 * be remembered.
 */
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
