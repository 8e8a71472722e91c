import { MILLISECONDS } from '#domain/time.js';
import { type DrawnPoint, gapsOf, typicalDistance } from '../charts/model/drawing.js';
import { type Ink, inkOf, quantitiesOf } from '../charts/model/quantities.js';
import type { ShownRange } from '../charts/model/span.js';
import type { AxisLimits } from '../charts/model/ticks.js';
import type { Kind } from './requests.js';

/** The values of a variable over time, as the panel draws them. Times are in ms since 1970. */
export interface Series {
  readonly variable: string;
  readonly unit: string;
  readonly ink: Ink;
  readonly shape: 'line' | 'bars';
  readonly times: readonly number[];
  readonly values: readonly DrawnPoint[];
  readonly lows?: readonly DrawnPoint[];
  readonly highs?: readonly DrawnPoint[];
  /** The interval of each value, for bars. */
  readonly intervals: readonly ShownRange[];
  readonly gaps: readonly ShownRange[];
  readonly range: ShownRange;
  readonly zone: string;
  /** Whether times are dates of any year. */
  readonly hasNoYear: boolean;
  readonly limits: AxisLimits;
}

/** A longer time than this between two values is a gap, as a multiple of the usual time between them. */
const MAX_GAP = 3;
/** The panel draws at most this number of variables. */
const MAX_SERIES = 4;
/** Shortest value axis, in any unit. */
const MIN_LENGTH = 0.1;
/** Dates without a year are placed in a leap year, so that 29 February has a place. */
const ANY_YEAR = 2000;

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const numberOf = (value: unknown): DrawnPoint => (typeof value === 'number' ? value : undefined);
/** The text of a value; empty for another value, because an object with a field `toString` cannot be made a text. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const timeOf = (value: unknown): number => Date.parse(textOf(value));

/** The series of a reply; empty for a reply without any, and for a reply of another shape than expected. */
export function seriesOf(kind: Kind, reply: unknown, zone: string): Series[] {
  if (!isObject(reply)) return [];
  const found =
    kind === 'observations'
      ? observedOf(reply)
      : kind === 'summaries'
        ? summarizedOf(reply)
        : kind === 'usual'
          ? usualOf(reply)
          : [];
  const units = isObject(reply['units']) ? reply['units'] : {};
  return found
    .filter(({ values, highs = [] }) => [...values, ...highs].some((value) => value !== undefined))
    .slice(0, MAX_SERIES)
    .map((series) => {
      const unit = units[series.variable];
      return complete(series, typeof unit === 'string' ? unit : '', kind === 'usual' ? 'UTC' : zone);
    });
}

type Found = Pick<Series, 'variable' | 'times' | 'values' | 'lows' | 'highs'> & {
  readonly intervals?: readonly ShownRange[];
  readonly isSum?: boolean;
  readonly hasNoYear?: boolean;
};

function observedOf({ observations, quality }: Json): Found[] {
  if (!isObject(observations)) return [];
  const times = listOf(observations['time']).map(timeOf);
  const doubtful = new Set(
    listOf(quality).map((entry) =>
      isObject(entry) ? `${textOf(entry['variable'])} ${numberOf(entry['index'])}` : '',
    ),
  );
  return Object.entries(observations)
    .filter(([name]) => name !== 'time')
    .map(([variable, column]) => ({
      variable,
      times,
      values: listOf(column).map((value, index) =>
        doubtful.has(`${variable} ${index}`) ? undefined : numberOf(value),
      ),
    }));
}

function summarizedOf({ summaries }: Json): Found[] {
  const rows = listOf(summaries).filter(isObject);
  const intervals = rows.map(({ start, end }) => ({ from: timeOf(start), to: timeOf(end) }));
  const times = intervals.map(({ from, to }) => (from + to) / 2);
  const names = new Set(rows.flatMap((row) => Object.keys(row).filter((name) => isObject(row[name]))));
  return [...names].map((variable): Found => {
    const column = (field: string) =>
      rows.map((row) => {
        const cell = row[variable];
        return isObject(cell) ? numberOf(cell[field]) : undefined;
      });
    const sums = column('sum');
    if (sums.some((value) => value !== undefined))
      return { variable, times, intervals, values: sums, isSum: true };
    const [means, highs] = [column('mean'), column('max')];
    // Gusts have a largest value and no mean.
    if (means.every((value) => value === undefined)) return { variable, times, intervals, values: highs };
    return { variable, times, intervals, values: means, lows: column('min'), highs };
  });
}

function usualOf(reply: Json): Found[] {
  const times = listOf(reply['dates']).map((date) => timeOf(`${ANY_YEAR}-${textOf(date)}T00:00:00Z`));
  return Object.entries(reply).flatMap(([variable, bands]) => {
    if (!isObject(bands) || !Array.isArray(bands['p50'])) return [];
    const column = (name: string) => listOf(bands[name]).map(numberOf);
    return [
      { variable, times, values: column('p50'), lows: column('p10'), highs: column('p90'), hasNoYear: true },
    ];
  });
}

function complete({ isSum = false, hasNoYear = false, ...found }: Found, unit: string, zone: string): Series {
  const { variable, times, values, intervals = [] } = found;
  const from = intervals[0]?.from ?? times[0] ?? 0;
  const last = intervals.at(-1)?.to ?? times.at(-1) ?? from;
  const range = { from, to: Math.max(last, from + MILLISECONDS.minute) };
  // Rows of summaries and of dates have equal distances, so a line ends where a row has no value.
  const longest =
    intervals.length > 0 || hasNoYear
      ? 1.5 * Math.max(...times.map((time, index) => time - (times[index - 1] ?? time)))
      : MAX_GAP * typicalDistance(times, values);
  const [quantity] = quantitiesOf([variable]);
  const isBars = isSum || (quantity?.kind === 'bars' && intervals.length > 0);
  // The limits of a quantity are in metric units; only a floor of 0 is the same in every unit.
  const hasFloor = isBars || quantity?.limits.floor === 0;
  return {
    ...found,
    unit,
    ink: quantity === undefined ? 'ink' : inkOf(quantity, variable),
    shape: isBars ? 'bars' : 'line',
    intervals,
    gaps: isBars ? [] : gapsOf(times, values, longest, range),
    range,
    zone,
    hasNoYear,
    limits: { ...(hasFloor && { floor: 0 }), minLength: MIN_LENGTH },
  };
}
