import { type ObservationBatch, type Series, sliceSeries } from './series.js';

/** The rows of one station: a range of positions in a `RowOrder`. */
export interface StationRows {
  readonly station: number;
  readonly from: number;
  /** Position behind the last row. */
  readonly to: number;
  /** Whether no two rows of the station have the same time. */
  readonly distinct: boolean;
}

/** The order of rows by (station, time). Rows with the same station and time keep the order of the batch. */
export interface RowOrder {
  /** Row numbers of the batch, sorted by station and time; undefined if the batch is sorted already. */
  readonly rows: Uint32Array | undefined;
  readonly groups: readonly StationRows[];
}

export function orderRows({ stations, times }: Pick<ObservationBatch, 'stations' | 'times'>): RowOrder {
  const count = stations.length;
  const slots = new Map<number, number>();
  const slotOf = new Uint32Array(count);
  const sizes: number[] = [];
  let [station, slot] = [-1, -1];
  for (let row = 0; row < count; row += 1) {
    if (stations[row] !== station) {
      station = stations[row] as number;
      slot = slots.get(station) ?? sizes.length;
      if (slot === sizes.length) {
        slots.set(station, slot);
        sizes.push(0);
      }
    }
    slotOf[row] = slot;
    (sizes[slot] as number)++;
  }
  const next = new Uint32Array(sizes.length);
  const sorted = [...slots].sort(([a], [b]) => a - b);
  let at = 0;
  for (const [, index] of sorted) {
    next[index] = at;
    at += sizes[index] as number;
  }
  const rows = new Uint32Array(count);
  for (let row = 0; row < count; row += 1) rows[(next[slotOf[row] as number] as number)++] = row;
  let inPlace = true;
  const groups = sorted.map(([number, index]): StationRows => {
    const to = next[index] as number;
    const from = to - (sizes[index] as number);
    if (to - from === 1) {
      inPlace &&= rows[from] === from;
      return { station: number, from, to, distinct: true };
    }
    const part = rows.subarray(from, to);
    if (!isSorted(part, times)) part.sort((a, b) => (times[a] as number) - (times[b] as number) || a - b);
    inPlace &&= part[0] === from && isSequence(part);
    return { station: number, from, to, distinct: isDistinct(part, times) };
  });
  return { rows: inPlace ? undefined : rows, groups };
}

/** Returns a column in another order of rows; the same column if `rows` is undefined. */
export function reordered(column: Float64Array, rows: Uint32Array | undefined): Float64Array {
  if (rows === undefined) return column;
  const result = new Float64Array(rows.length);
  for (let row = 0; row < rows.length; row += 1) result[row] = column[rows[row] as number] as number;
  return result;
}

/** Sorts the rows of one station by time. @returns undefined if two rows have the same time */
export function sortByTime(series: Series): Series | undefined {
  const { rows, groups } = orderRows({
    stations: new Uint32Array(series.times.length),
    times: series.times,
  });
  if (groups.some(({ distinct }) => !distinct)) return undefined;
  return rows === undefined ? series : selectRows(series, rows);
}

/** Selects rows of a series, in the given order. */
export function selectRows({ times, values, flags }: Series, rows: Uint32Array): Series {
  const select = (bytes: Uint8Array) => Uint8Array.from(rows, (row) => bytes[row] as number);
  return {
    times: reordered(times, rows),
    values: new Map([...values].map(([variable, column]) => [variable, reordered(column, rows)])),
    flags: new Map([...flags].map(([variable, bytes]) => [variable, select(bytes)])),
  };
}

/** The rows of one station in a batch. */
export interface StationPart {
  readonly series: Series;
  /**
   * Number of rows that were merged into an earlier row of the batch with the same time. These rows are not in `series`.
   */
  readonly folded: number;
}

/** Extracts the rows of one station from a batch, which has rows of several stations. Rows with the same time are merged. */
export function partOf(
  { times, values }: ObservationBatch,
  { rows }: RowOrder,
  group: StationRows,
): StationPart {
  const { from, to, distinct } = group;
  const chosen = rows?.subarray(from, to) ?? Uint32Array.from({ length: to - from }, (_, row) => from + row);
  const sorted = reordered(times, chosen);
  if (distinct) {
    const columns = [...values].map(([variable, column]) => [variable, reordered(column, chosen)] as const);
    return { series: { times: sorted, values: new Map(columns), flags: new Map() }, folded: 0 };
  }
  const repeats = Uint8Array.from(sorted, (time, row) => (row > 0 && time === sorted[row - 1] ? 1 : 0));
  const single = sorted.filter((_time, row) => repeats[row] === 0);
  const columns = [...values].map(([variable, column]) => {
    const merged = new Float64Array(single.length).fill(Number.NaN);
    let at = -1;
    for (const [index, row] of chosen.entries()) {
      if (repeats[index] === 0) at += 1;
      const value = column[row] as number;
      if (!Number.isNaN(value)) merged[at] = value;
    }
    return [variable, merged] as const;
  });
  return {
    series: { times: single, values: new Map(columns), flags: new Map() },
    folded: sorted.length - single.length,
  };
}

/**
 * Splits a series into clusters, without copying. A cluster consists of rows that follow each other within `gap` milliseconds. So
 * there are more than `gap` milliseconds between two clusters, and a writer need not read the stored rows between them.
 *
 * @returns the clusters in order of time, each with the row number of its first row in `series`
 */
export function* clusters(
  series: Series,
  gap: number,
): Generator<{ readonly series: Series; readonly first: number }> {
  for (const [first, end] of clusterRows(series.times, gap))
    yield { series: sliceSeries(series, first, end), first };
}

/**
 * The row numbers of each cluster: from `first` to `end` (not included). A cluster consists of rows that follow each other within
 * `gap` milliseconds.
 */
export function* clusterRows(
  times: Float64Array,
  gap: number,
): Generator<readonly [first: number, end: number]> {
  let first = 0;
  for (let row = 1; row <= times.length; row += 1) {
    if (row < times.length && (times[row] as number) - (times[row - 1] as number) <= gap) continue;
    yield [first, row];
    first = row;
  }
}

/** Joins batches into one batch without flags. A single batch is returned unchanged. */
export function joinColumns(batches: readonly ObservationBatch[]): ObservationBatch {
  const [only] = batches;
  if (only !== undefined && batches.length === 1) return only;
  const length = batches.reduce((sum, { times }) => sum + times.length, 0);
  const stations = new Uint32Array(length);
  const times = new Float64Array(length);
  const variables = new Set(batches.flatMap(({ values }) => [...values.keys()]));
  const values = new Map([...variables].map((variable) => [variable, new Float64Array(length)]));
  let at = 0;
  for (const batch of batches) {
    stations.set(batch.stations, at);
    times.set(batch.times, at);
    const end = at + batch.times.length;
    for (const [variable, column] of values) {
      const given = batch.values.get(variable);
      if (given === undefined) column.fill(Number.NaN, at, end);
      else column.set(given, at);
    }
    at = end;
  }
  return { stations, times, values, flags: new Map() };
}

function isSorted(rows: Uint32Array, times: Float64Array): boolean {
  for (let index = 1; index < rows.length; index += 1) {
    if ((times[rows[index] as number] as number) < (times[rows[index - 1] as number] as number)) return false;
  }
  return true;
}

function isSequence(rows: Uint32Array): boolean {
  for (let index = 1; index < rows.length; index += 1) {
    if (rows[index] !== (rows[index - 1] as number) + 1) return false;
  }
  return true;
}

function isDistinct(rows: Uint32Array, times: Float64Array): boolean {
  for (let index = 1; index < rows.length; index += 1) {
    if (times[rows[index] as number] === times[rows[index - 1] as number]) return false;
  }
  return true;
}
