import { selectRows } from '../row-order.js';
import { type Series, type Verdict, verdictOf } from '../series.js';

/** The range `[from, to)` in milliseconds since 1970-01-01T00:00:00Z, divided into columns of equal time. */
export interface ChartColumns {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

const VERDICTS: readonly Verdict[] = ['pass', 'suspect', 'fail'];

/** Largest number of rows of a thinned series, if all variables have values at the same times and no value is flagged. */
export function maxThinnedRows(columns: number, variables: number): number {
  return columns * (2 + 2 * variables);
}

/**
 * Removes the rows that a line chart cannot show (M4: Jugel et al., VLDB 2014). The time of the chart is divided into narrow
 * columns of equal time. In each column, at most four rows of a variable stay: those with the first, the last, the smallest and
 * the largest value. Of several equal extremes, the first stays.
 *
 *   column         |- - - - - - - - - - - - |- - - - - - - - - - - - |
 *   value          3   5   4   9   7   2   6   6   6   1   6   8   7
 *   stays          3           9       2   6   6       1       8   7
 *
 * Passed, suspect and failed values are thinned separately. So a chart without the failed values still shows the extremes of the
 * passed values.
 *
 * The parts `a` and `b` of a series may be thinned before they are joined. The result is the same: `thinned(thinned(a) +
 * thinned(b)) = thinned(a + b)`.
 *
 * @param series rows in order of time within `[from, to)`
 */
export function thinned(series: Series, columns: ChartColumns): Series {
  return keptRows(series, columns, (values, begin, end, isKept) => {
    const extremes = findExtremes(values, begin, end);
    if (extremes === undefined) return;
    for (const row of extremes) isKept[row] = 1;
  });
}

/**
 * Removes further rows of a thinned series. In each column of time, `thinned` has kept the rows with the first, the last, the
 * smallest and the largest value of a variable. The row with the smallest or the largest value is removed here if another row of
 * the column stays anyway and has the same value, for example the first row.
 *
 * About a tenth of the rows are removed, because measured values have few digits and often repeat.
 */
export function withoutRepeated(series: Series, columns: ChartColumns): Series {
  const keepEnds: Keep = (values, begin, end, isKept) => {
    const extremes = findExtremes(values, begin, end);
    if (extremes !== undefined) isKept[extremes[0]] = isKept[extremes[1]] = 1;
  };
  const keepExtremes: Keep = (values, begin, end, isKept) => {
    const extremes = findExtremes(values, begin, end);
    if (extremes === undefined) return;
    for (const extreme of [extremes[2], extremes[3]]) {
      let row = begin;
      while (row < end && (isKept[row] === 0 || values[row] !== values[extreme])) row += 1;
      if (row === end) isKept[extreme] = 1;
    }
  };
  return keptRows(series, columns, keepEnds, keepExtremes);
}

/**
 * Marks the rows to keep in one column of time (see `ChartColumns`). The column has the rows from `begin` to `end` (not
 * included).
 */
type Keep = (values: Float64Array, begin: number, end: number, isKept: Uint8Array) => void;

function keptRows(series: Series, columns: ChartColumns, ...passes: readonly Keep[]): Series {
  const { times } = series;
  const ends = columnEnds(times, columns);
  const isKept = new Uint8Array(times.length);
  const separate = separateVerdicts(series);
  for (const keep of passes)
    for (const values of separate) {
      let begin = 0;
      for (const end of ends) {
        keep(values, begin, end, isKept);
        begin = end;
      }
    }
  let count = 0;
  const rows = new Uint32Array(times.length);
  for (let row = 0; row < isKept.length; row += 1) if (isKept[row] === 1) rows[count++] = row;
  return count === times.length ? series : selectRows(series, rows.subarray(0, count));
}

/** Index of the column of a time. */
export function columnOf(time: number, { from, to, count }: ChartColumns): number {
  return Math.floor(((time - from) * count) / (to - from));
}

/** For each column with rows, the index behind its last row. */
function columnEnds(times: Float64Array, columns: ChartColumns): number[] {
  const ends: number[] = [];
  let current = times.length > 0 ? columnOf(times[0] as number, columns) : 0;
  for (let row = 1; row < times.length; row += 1) {
    const column = columnOf(times[row] as number, columns);
    if (column !== current) ends.push(row);
    current = column;
  }
  if (times.length > 0) ends.push(times.length);
  return ends;
}

/**
 * The values of each variable. If values of a variable are flagged, the variable has three lists: one for passed, one for suspect
 * and one for failed values. In each list the other values are NaN.
 */
function separateVerdicts({ values, flags }: Series): Float64Array[] {
  return [...values].flatMap(([variable, column]) => {
    const bytes = flags.get(variable);
    if (bytes?.some((byte) => byte !== 0) !== true) return [column];
    return VERDICTS.map((verdict) =>
      column.map((value, row) => (verdictOf(bytes[row] as number) === verdict ? value : Number.NaN)),
    );
  });
}

/** The rows of the first, last, smallest and largest value; undefined if there is no value. */
function findExtremes(
  values: Float64Array,
  begin: number,
  end: number,
): readonly [first: number, last: number, least: number, most: number] | undefined {
  let first = begin;
  while (first < end && Number.isNaN(values[first])) first += 1;
  if (first === end) return undefined;
  let [last, least, most] = [first, first, first];
  let min = values[first] as number;
  let max = min;
  for (let row = first + 1; row < end; row += 1) {
    const value = values[row] as number;
    if (Number.isNaN(value)) continue;
    last = row;
    if (value < min) {
      min = value;
      least = row;
    } else if (value > max) {
      max = value;
      most = row;
    }
  }
  return [first, last, least, most];
}
