import { writeTime } from '../format/time-format.js';
import { type DisplayUnit, displayUnit } from '../format/units.js';
import { useNumbers, useSite } from '../site-context.js';
import type { Quantity } from './model/quantities.js';
import type { ShownRange } from './model/span.js';
import type { TimeTick } from './model/ticks.js';
import { hasOffsetChange } from './model/zone.js';

/** Formats names, values and times of charts. */
export interface ChartFormat {
  readonly name: (variable: string) => string;
  /** The names of the lines of a chart. */
  readonly title: (quantity: Quantity) => string;
  readonly unit: (quantity: Quantity, units: Readonly<Record<string, string>>) => DisplayUnit;
  readonly number: (value: number, decimals: number) => string;
  readonly value: (value: number, unit: DisplayUnit) => string;
  /** A local time of the station. If the offset of the zone changes within the range, the text contains the offset. */
  readonly time: (time: number, range: ShownRange) => string;
  readonly date: (time: number) => string;
  /** A local time with date and year. */
  readonly moment: (time: number) => string;
  readonly tick: (tick: TimeTick) => string;
  /** The names of checks, separated by commas. */
  readonly checks: (names: readonly string[]) => string;
}

export function useChartFormat(zone: string): ChartFormat {
  const { text, preferences } = useSite();
  const number = useNumbers();
  const { language } = preferences;
  const name = (variable: string) => text.variables[variable] ?? text.charts.variables[variable] ?? variable;
  const write = (time: number, style: keyof typeof STYLES) => writeTime(time, language, zone, STYLES[style]);
  return {
    name,
    number,
    title: ({ lines }) => lines.map(({ variable }) => name(variable)).join(', '),
    unit: ({ lines }, units) => {
      const variable = lines[0]?.variable ?? '';
      return displayUnit(variable, units[variable] ?? '', preferences.units);
    },
    value: (value, { unit, decimals }) =>
      unit === '1' ? number(value, decimals) : `${number(value, decimals)} ${unit}`,
    time: (time, { from, to }) => write(time, hasOffsetChange(from, to, zone) ? 'timeWithOffset' : 'time'),
    date: (time) => write(time, 'date'),
    moment: (time) => write(time, 'moment'),
    tick: ({ time, kind }) => write(time, kind === 'date' ? 'dayOfMonth' : kind),
    checks: (names) => names.map((check) => text.charts.checks[check] ?? check).join(', '),
  };
}

const TIME = {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const satisfies Intl.DateTimeFormatOptions;

const STYLES = {
  time: TIME,
  timeWithOffset: { ...TIME, timeZoneName: 'shortOffset' },
  moment: { ...TIME, year: 'numeric' },
  date: { weekday: 'short', day: 'numeric', month: 'long', year: 'numeric' },
  hour: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  day: { weekday: 'short', day: 'numeric', month: 'short' },
  dayOfMonth: { day: 'numeric', month: 'short' },
  month: { month: 'short' },
  year: { month: 'short', year: 'numeric' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;
