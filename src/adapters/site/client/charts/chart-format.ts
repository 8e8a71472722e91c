import { MILLISECONDS } from '#domain/time.js';
import { writeTime, writeTimeRange } from '../format/time-format.js';
import { type DisplayUnit, displayUnit, type UnitChoice } from '../format/units.js';
import type { Text } from '../text/en.js';
import type { Drawing } from './model/drawing.js';
import type { Quantity } from './model/quantities.js';
import type { ShownRange } from './model/span.js';
import type { TimeTick } from './model/ticks.js';
import { hasOffsetChange, localTime } from './model/zone.js';

/** Formats names, values and times of charts. */
export interface ChartFormat {
  readonly name: (variable: string) => string;
  /** The names of the lines of a chart. */
  readonly title: (quantity: Quantity) => string;
  readonly unit: (quantity: Quantity, units: Readonly<Record<string, string>>) => DisplayUnit;
  readonly number: (value: number, decimals: number) => string;
  readonly value: (value: number, unit: DisplayUnit) => string;
  /** A smallest and a largest value: `4.9 … 16.6 °C`. */
  readonly values: (low: number, high: number, unit: DisplayUnit) => string;
  /** A value beside a point of a chart, without its unit: `31.1°`. */
  readonly mark: (value: number, unit: DisplayUnit) => string;
  /** A local time of the station. If the offset of the zone changes within the range, the text contains the offset. */
  readonly time: (time: number, range: ShownRange) => string;
  /** The time or the interval of a row, with the year. */
  readonly row: (drawing: Pick<Drawing, 'step' | 'times' | 'intervals'>, row: number) => string;
  /** The interval of a bar or a gap, without the year. */
  readonly interval: (interval: ShownRange, step: Drawing['step']) => string;
  /** The time of an extreme, as short as the range allows. */
  readonly shortTime: (time: number, range: ShownRange, step: Drawing['step']) => string;
  readonly date: (time: number) => string;
  /** A date such as `16 November`, with the year if it is not the year of the end of the range. */
  readonly day: (time: number, range: ShownRange) => string;
  /** A range of local dates: `16–23 November 2026`. Other ranges contain the times. @param isShort whether months are short */
  readonly range: (range: ShownRange, isShort?: boolean) => string;
  /** A local time with date and year. */
  readonly moment: (time: number) => string;
  readonly tick: (tick: TimeTick) => string;
  /** The names of checks, separated by commas. */
  readonly checks: (names: readonly string[]) => string;
}

/** Creates the functions for a zone and a visitor. */
export function chartFormat(
  zone: string,
  text: Text,
  { language, units: unitChoice }: { readonly language: string; readonly units: UnitChoice },
  number: ChartFormat['number'],
): ChartFormat {
  const name = (variable: string) => text.variables[variable] ?? text.charts.variables[variable] ?? variable;
  const write = (time: number, style: keyof typeof STYLES) => writeTime(time, language, zone, STYLES[style]);
  const writeRange = ({ from, to }: ShownRange, style: keyof typeof STYLES) =>
    writeTimeRange(from, to, language, zone, STYLES[style]);
  const isSameDay = ({ from, to }: ShownRange) => localTime(from, zone).date === localTime(to, zone).date;
  /** The interval without its last millisecond, which belongs to the next date. */
  const inside = ({ from, to }: ShownRange): ShownRange => ({ from, to: Math.max(from, to - 1) });
  const interval: ChartFormat['interval'] = (part, step) => {
    if (step === 'value')
      return isSameDay(inside(part)) ? writeRange(part, 'hour') : writeRange(part, 'time');
    if (step === 'hour') return writeRange(part, 'time');
    if (step === 'month') return write(part.from, 'monthOfYear');
    return writeRange(inside(part), 'dayOfMonth');
  };
  const withUnit = (written: string, { unit }: DisplayUnit) =>
    unit === '1' ? written : `${written} ${unit}`;
  return {
    name,
    number,
    title: ({ lines }) => lines.map(({ variable }) => name(variable)).join(', '),
    unit: ({ lines }, units) => {
      const variable = lines[0]?.variable ?? '';
      return displayUnit(variable, units[variable] ?? '', unitChoice);
    },
    value: (value, unit) => withUnit(number(value, unit.decimals), unit),
    values: (low, high, unit) =>
      withUnit(`${number(low, unit.decimals)} … ${number(high, unit.decimals)}`, unit),
    mark: (value, { unit, decimals }) => `${number(value, decimals)}${unit.startsWith('°') ? '°' : ''}`,
    time: (time, { from, to }) => write(time, hasOffsetChange(from, to, zone) ? 'timeWithOffset' : 'time'),
    row: ({ step, times, intervals }, row) => {
      const part = intervals?.[row];
      if (part === undefined) return write(times[row] ?? 0, 'rowTime');
      if (step === 'hour')
        return `${write(part.from, 'day')} ${write(part.from, 'fullYear')}, ${writeRange(part, 'hour')}`;
      return writeRange(inside(part), step === 'day' ? 'dayOfYear' : 'shortDate');
    },
    interval,
    shortTime: (time, { from, to }, step) => {
      if (to - from <= MILLISECONDS.day + 2 * MILLISECONDS.hour) return write(time, 'hour');
      if (step === 'value') return write(time, to - from <= 8 * MILLISECONDS.day ? 'weekdayTime' : 'time');
      return write(time, to - from <= 367 * MILLISECONDS.day ? 'dayOfMonth' : 'shortDate');
    },
    date: (time) => write(time, 'date'),
    day: (time, { to }) =>
      write(
        time,
        localTime(time, zone).date.slice(0, 4) === localTime(to, zone).date.slice(0, 4)
          ? 'dayAndMonth'
          : 'longDate',
      ),
    range: (shown, isShort = false) => {
      const { from, to } = shown;
      const isOfDays =
        localTime(from - 1, zone).date !== localTime(from, zone).date &&
        localTime(to - 1, zone).date !== localTime(to, zone).date;
      if (to - from > 2 * MILLISECONDS.day + 2 * MILLISECONDS.hour || isOfDays)
        return isSameDay(inside(shown))
          ? write(from, isShort ? 'dayOfYear' : 'date')
          : writeRange(inside(shown), isShort ? 'shortDate' : 'longDate');
      return writeRange(shown, 'moment');
    },
    moment: (time) => write(time, 'moment'),
    tick: ({ time, kind }) => write(time, TICK_STYLES[kind]),
    checks: (names) => names.map((check) => text.charts.checks[check] ?? check).join(', '),
  };
}

const CLOCK = {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const satisfies Intl.DateTimeFormatOptions;
const DATE = { day: 'numeric', month: 'short' } as const satisfies Intl.DateTimeFormatOptions;

const STYLES = {
  time: { ...DATE, ...CLOCK },
  timeWithOffset: { ...DATE, ...CLOCK, timeZoneName: 'shortOffset' },
  rowTime: { weekday: 'short', ...DATE, year: 'numeric', ...CLOCK },
  moment: { ...DATE, year: 'numeric', ...CLOCK },
  date: { weekday: 'short', day: 'numeric', month: 'long', year: 'numeric' },
  longDate: { day: 'numeric', month: 'long', year: 'numeric' },
  dayAndMonth: { day: 'numeric', month: 'long' },
  shortDate: { ...DATE, year: 'numeric' },
  dayOfYear: { weekday: 'short', ...DATE, year: 'numeric' },
  hour: CLOCK,
  weekdayTime: { weekday: 'short', ...CLOCK },
  day: { weekday: 'short', ...DATE },
  weekday: { weekday: 'short' },
  dayOfMonth: DATE,
  month: { month: 'short' },
  monthOfYear: { month: 'short', year: 'numeric' },
  fullYear: { year: 'numeric' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;

const TICK_STYLES = {
  hour: 'hour',
  day: 'day',
  weekday: 'weekday',
  date: 'dayOfMonth',
  month: 'month',
  monthOfYear: 'monthOfYear',
  year: 'fullYear',
} as const satisfies Readonly<Record<TimeTick['kind'], keyof typeof STYLES>>;
