import { MILLISECONDS } from '#domain/time.js';
import { percentile } from '#domain/weather/climate/usual.js';
import { V } from '#domain/weather/variables.js';
import { joinedFindings } from '../joined-findings.js';
import type { Finding, NoticeCheck, NoticeInput } from '../notice-check.js';

const NUMBERS = {
  /** Smallest number of years with values around a date and hour. */
  years: 3,
  /** Days of a part of the year, and parts before and after it that are used too. */
  part: 5,
  parts: 3,
  /** Hours of the day before and after. */
  hours: 1,
  shares: [0.01, 0.5, 0.99],
  /** A value is unusual beyond the outer percentile by this number of distances between it and the median. */
  beyond: 1,
  /** Smallest such distance, in the unit of the variable. */
  variables: new Map<number, number>([
    [V.temperature, 4],
    [V.dewPoint, 5],
    [V.pressure, 8],
    [V.seaLevelPressure, 8],
  ]),
} as const;

const PARTS = Math.ceil(366 / NUMBERS.part);

/** Finds hours that the station has never had near to at this date and hour: heat in January, a frost in August. */
export const unusualHours: NoticeCheck = {
  kind: 'unusual_hours',
  span: 'years',
  source:
    'HadISD (Dunn et al., 2012), climatological outlier; percentiles of the station in place of a normal distribution',
  finds: `a value is beyond the 1st or 99th percentile of its date and hour by more than the distance of this percentile from the median, from ${NUMBERS.years} years on`,
  find({ own }: NoticeInput): readonly Finding[] {
    if (own.hours < NUMBERS.years * 300 * 24) return [];
    const calendar = calendarOf(own.begin, own.hours);
    return [...NUMBERS.variables].flatMap(([variable, smallest]) => {
      const column = own.columns.get(variable);
      return column === undefined ? [] : unusualIn(variable, column, calendar, smallest);
    });
  },
};

function unusualIn(variable: number, column: Float64Array, calendar: Calendar, smallest: number): Finding[] {
  const cells = cellsOf(column, calendar);
  const limits = new Map<number, readonly [low: number, middle: number, high: number] | undefined>();
  const findings: Finding[] = [];
  for (let hour = 0; hour < column.length; hour += 1) {
    const value = column[hour] as number;
    if (Number.isNaN(value)) continue;
    const cell = calendar.cells[hour] as number;
    if (!limits.has(cell)) limits.set(cell, limitsOf(cells, cell));
    const known = limits.get(cell);
    if (known === undefined) continue;
    const [low, middle, high] = known;
    const isHigh = value > high + NUMBERS.beyond * Math.max(smallest, high - middle);
    const isLow = value < low - NUMBERS.beyond * Math.max(smallest, middle - low);
    if (!isHigh && !isLow) continue;
    const facts = {
      difference_from_median: value - middle,
      value,
      percentile_1: low,
      median: middle,
      percentile_99: high,
    };
    findings.push({ variable, from: hour, to: hour + 1, facts, comparedWith: [] });
  }
  return joinedFindings(findings, ({ difference_from_median: one = 0 }) => Math.sign(one));
}

interface Cell {
  readonly values: number[];
  readonly years: Set<number>;
}

/** For each hour its year, and its cell: the part of the year and the hour of the day. */
interface Calendar {
  readonly years: Int16Array;
  readonly cells: Int16Array;
}

function calendarOf(begin: number, hours: number): Calendar {
  const calendar = { years: new Int16Array(hours), cells: new Int16Array(hours) };
  let [year, yearBegin, yearEnd] = [0, 0, -Infinity];
  for (let hour = 0; hour < hours; hour += 1) {
    const time = begin + hour * MILLISECONDS.hour;
    if (hour === 0 || time >= yearEnd) {
      year = new Date(time).getUTCFullYear();
      [yearBegin, yearEnd] = [Date.UTC(year, 0, 1), Date.UTC(year + 1, 0, 1)];
    }
    const hourOfYear = Math.floor((time - yearBegin) / MILLISECONDS.hour);
    calendar.years[hour] = year;
    calendar.cells[hour] = 24 * Math.floor(hourOfYear / 24 / NUMBERS.part) + (hourOfYear % 24);
  }
  return calendar;
}

function cellsOf(column: Float64Array, { years, cells: places }: Calendar): Cell[] {
  const cells = Array.from({ length: 24 * PARTS }, (): Cell => ({ values: [], years: new Set() }));
  for (let hour = 0; hour < column.length; hour += 1) {
    const value = column[hour] as number;
    if (Number.isNaN(value)) continue;
    const cell = cells[places[hour] as number] as Cell;
    cell.values.push(value);
    cell.years.add(years[hour] as number);
  }
  return cells;
}

function limitsOf(cells: readonly Cell[], cell: number): readonly [number, number, number] | undefined {
  const [part, hour] = [Math.floor(cell / 24), cell % 24];
  const years = new Set<number>();
  const values: number[] = [];
  for (let near = part - NUMBERS.parts; near <= part + NUMBERS.parts; near += 1)
    for (let at = hour - NUMBERS.hours; at <= hour + NUMBERS.hours; at += 1) {
      const one = cells[24 * ((near + PARTS) % PARTS) + ((at + 24) % 24)] as Cell;
      for (const value of one.values) values.push(value);
      for (const year of one.years) years.add(year);
    }
  if (years.size < NUMBERS.years) return undefined;
  const sorted = Float64Array.from(values).sort();
  const [low, middle, high] = NUMBERS.shares.map((share) => percentile(sorted, share)) as [
    number,
    number,
    number,
  ];
  return [low, middle, high];
}
