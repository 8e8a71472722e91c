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
  const isByStation = isRising(stations);
  const rows = isByStation ? sequence(count) : rowsByStation(stations);
  const groups: StationRows[] = [];
  let inPlace = isByStation;
  for (let from = 0; from < count;) {
    const station = stations[rows[from] as number] as number;
    let to = from + 1;
    while (to < count && stations[rows[to] as number] === station) to += 1;
    if (to - from === 1) groups.push({ station, from, to, distinct: true });
    else {
      const part = rows.subarray(from, to);
      if (!isSorted(part, times)) {
        part.sort((a, b) => (times[a] as number) - (times[b] as number) || a - b);
        inPlace = false;
      }
      groups.push({ station, from, to, distinct: isDistinct(part, times) });
    }
    from = to;
  }
  return { rows: inPlace ? undefined : rows, groups };
}

function sequence(count: number): Uint32Array {
  const rows = new Uint32Array(count);
  for (let row = 0; row < count; row += 1) rows[row] = row;
  return rows;
}

function isRising(numbers: Uint32Array): boolean {
  for (let row = 1; row < numbers.length; row += 1)
    if ((numbers[row] as number) < (numbers[row - 1] as number)) return false;
  return true;
}

/** Row numbers in order of their station. The rows of a station keep their order. */
function rowsByStation(stations: Uint32Array): Uint32Array {
  const count = stations.length;
  /** For each station, its index in `sizes`. */
  const slots = new Map<number, number>();
  const slotOf = new Uint32Array(count);
  const sizes = new Uint32Array(count);
  let [station, slot] = [-1, -1];
  for (let row = 0; row < count; row += 1) {
    if (stations[row] !== station) {
      station = stations[row] as number;
      slot = slots.get(station) ?? slots.size;
      if (slot === slots.size) slots.set(station, slot);
    }
    slotOf[row] = slot;
    (sizes[slot] as number)++;
  }
  const next = new Uint32Array(slots.size);
  let at = 0;
  for (const number of Uint32Array.from(slots.keys()).sort()) {
    const index = slots.get(number) as number;
    next[index] = at;
    at += sizes[index] as number;
  }
  const rows = new Uint32Array(count);
  for (let row = 0; row < count; row += 1) rows[(next[slotOf[row] as number] as number)++] = row;
  return rows;
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
  const select = (bytes: Uint8Array) => {
    const selected = new Uint8Array(rows.length);
    for (let row = 0; row < rows.length; row += 1) selected[row] = bytes[rows[row] as number] as number;
    return selected;
  };
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

function isDistinct(rows: Uint32Array, times: Float64Array): boolean {
  for (let index = 1; index < rows.length; index += 1) {
    if (times[rows[index] as number] === times[rows[index - 1] as number]) return false;
  }
  return true;
}
