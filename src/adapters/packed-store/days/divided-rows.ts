import type { EraseRange } from '#application/ports/observation-store.js';
import { selectRows } from '#domain/weather/row-order.js';
import type { ObservationBatch, Series } from '#domain/weather/series.js';
import type { CellChanges, StationCells } from '#domain/weather/undo/cell-changes.js';
import { isDaily, REPORTED, VARIABLES } from '#domain/weather/variables.js';
import { dailySeriesOf, type Halves, isDailySeries } from './daily-series.js';

/** Rows that have values of both series. Each of them was divided into two rows. */
export interface Twins {
  /** `Station.number` of each row. */
  readonly stations: Uint32Array;
  readonly times: Float64Array;
}

export interface DividedBatch {
  /** The rows by number of the series: first the rows of reports, then the rows of daily values. */
  readonly batch: ObservationBatch;
  readonly twins: Twins | undefined;
}

/** Divides the rows of a batch between the two series of their stations. A batch without daily values is returned as it is. */
export function divideBatch(batch: ObservationBatch): DividedBatch {
  const { stations, times, values } = batch;
  const kinds = new Set([...values.keys()].map(isDaily));
  if (!kinds.has(true)) return { batch, twins: undefined };
  if (!kinds.has(false))
    return { batch: { ...batch, stations: stations.map(dailySeriesOf) }, twins: undefined };
  const [hasReport, hasDay] = filledRows(batch);
  const rowsOf = (isWanted: (row: number) => boolean) => Uint32Array.from(times.keys()).filter(isWanted);
  const days = rowsOf((row) => hasDay[row] === 1);
  if (days.length === 0) return { batch, twins: undefined };
  const reports = rowsOf((row) => hasReport[row] === 1 || hasDay[row] === 0);
  const both = rowsOf((row) => hasReport[row] === 1 && hasDay[row] === 1);
  const order = new Uint32Array(reports.length + days.length);
  order.set(reports);
  order.set(days, reports.length);
  const selected = selectRows(batch, order);
  // A row of reports keeps only its reports, and a row of daily values only its daily values.
  for (const [variable, column] of selected.values)
    column.fill(Number.NaN, ...(isDaily(variable) ? [0, reports.length] : [reports.length]));
  for (const [variable, column] of selected.flags)
    column.fill(0, ...(isDaily(variable) ? [0, reports.length] : [reports.length]));
  const numbers = Uint32Array.from(order, (row, index) =>
    index < reports.length ? (stations[row] as number) : dailySeriesOf(stations[row] as number),
  );
  const twins = both.length > 0 && {
    stations: both.map((row) => stations[row] as number),
    times: Float64Array.from(both, (row) => times[row] as number),
  };
  return { batch: { ...selected, stations: numbers }, twins: twins || undefined };
}

/** For each row, whether it has a value of a report, and whether it has a daily value. */
function filledRows({ times, values }: Series): readonly [hasReport: Uint8Array, hasDay: Uint8Array] {
  const [hasReport, hasDay] = [new Uint8Array(times.length), new Uint8Array(times.length)];
  for (const [variable, column] of values) {
    const filled = isDaily(variable) ? hasDay : hasReport;
    for (let row = 0; row < column.length; row += 1) if (!Number.isNaN(column[row])) filled[row] = 1;
  }
  return [hasReport, hasDay];
}

/** Divides the rows of a station between its two series. Rows without a value are left out. */
export function divideSeries(series: Series): Halves<Series> {
  const filled = filledRows(series);
  const half = (isWanted: (variable: number) => boolean, has: Uint8Array): Series => {
    const rows = Uint32Array.from(has.keys()).filter((row) => has[row] === 1);
    const own = <T>(columns: ReadonlyMap<number, T>) =>
      new Map([...columns].filter(([variable]) => isWanted(variable)));
    return selectRows({ times: series.times, values: own(series.values), flags: own(series.flags) }, rows);
  };
  return { reports: half((variable) => !isDaily(variable), filled[0]), days: half(isDaily, filled[1]) };
}

/**
 * Divides the changes of an import between the two series. Changes that were recorded by a version with one series for all values
 * have both kinds of values under the number of the station.
 */
export function divideCells({ station, cells }: StationCells): StationCells[] {
  if (isDailySeries(station) || ![...cells.after.keys()].some(isDaily)) return [{ station, cells }];
  const { reports, days } = divideSeries({ times: cells.times, values: cells.after, flags: new Map() });
  const before = divideBefore(cells);
  return [
    { station, cells: { times: reports.times, after: reports.values, before: before(reports) } },
    {
      station: dailySeriesOf(station),
      cells: { times: days.times, after: days.values, before: before(days) },
    },
  ].filter((one) => one.cells.times.length > 0);
}

/** Returns a function that selects the replaced values of the rows and variables of one series. */
function divideBefore({ times, before }: CellChanges) {
  const rowOf = new Map(Array.from(times, (time, row) => [time, row]));
  return (half: Series): CellChanges['before'] => {
    const rows = Uint32Array.from(half.times, (time) => rowOf.get(time) as number);
    const own = new Map([...before].filter(([variable]) => half.values.has(variable)));
    return selectRows({ times, values: own, flags: new Map() }, rows).values;
  };
}

/** Divides ranges of stations into ranges of series. */
export function divideRanges(ranges: readonly EraseRange[]): EraseRange[] {
  return ranges.flatMap((range): EraseRange[] => {
    const { variables, station } = range;
    const reports = variables?.filter((variable) => !isDaily(variable));
    const days = variables?.filter(isDaily);
    return [
      ...(reports?.length === 0 ? [] : [{ ...range, variables: reports }]),
      ...(days?.length === 0 ? [] : [{ ...range, station: dailySeriesOf(station), variables: days }]),
    ];
  });
}

const DAILY = VARIABLES.flatMap(({ number }) => (isDaily(number) ? [number] : []));

/** The ranges of stations that `divideRanges` divides into exactly these ranges of series. */
export function ownRange(range: EraseRange): EraseRange {
  const { station, variables } = range;
  return isDailySeries(station)
    ? { ...range, station: station - dailySeriesOf(0), variables: variables ?? DAILY }
    : { ...range, variables: variables ?? REPORTED };
}
