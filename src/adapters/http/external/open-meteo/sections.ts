import type { TimeAxis } from '#application/observations/read/read-at-times.js';
import type { StationSnapshot } from '#application/observations/read/describe-station.js';
import { REACH } from '#domain/weather/summaries/at-times.js';
import { suggestion } from '#domain/nearest-name.js';
import { quoted } from '#domain/quoted.js';
import { MILLISECONDS } from '#domain/time.js';
import { type DailyName, dailyName } from './daily-names.js';
import { type Family, KNOWN_NAMES, type TimeName, timeName, todaysName } from './names.js';
import { invalid, type OpenMeteoRequest, type Place, type Span, type StepSpan } from './parameters.js';
import { type ReplyUnit, unitOf, UNITS } from './units.js';
import type { DayAxis, StationValues, ValueAxis } from './values.js';
import { clockOffset, clockZone, type ReplyZone } from './zone.js';

/** A column of a section, with values in its unit; NaN for missing values. */
export interface Column {
  /** As in the request. */
  readonly name: string;
  readonly unit: ReplyUnit;
  readonly values: Float64Array;
}

/** A part of a reply with regular times: `hourly`, `daily`, `minutely_15` or `current`. */
export interface Section {
  readonly name: 'current' | 'minutely_15' | 'hourly' | 'daily';
  /** In milliseconds since 1970-01-01T00:00:00Z. */
  readonly times: Float64Array;
  readonly step: number;
  readonly columns: readonly Column[];
}

const QUARTER = 15 * MILLISECONDS.minute;

/** Most values of a reply of all places together: 16 variables of 7 years, or all variables of 50 places for 16 days. */
export const MAX_VALUES = 1_000_000;

/** The names of a request after they were found. */
export interface FoundNames {
  readonly current: readonly (readonly [string, TimeName])[];
  readonly minutely15: readonly (readonly [string, TimeName])[];
  readonly hourly: readonly (readonly [string, TimeName])[];
  readonly daily: readonly (readonly [string, DailyName])[];
}

/** The variables of the old section `current_weather`, in the order of its fields. */
const CURRENT_WEATHER = ['temperature_2m', 'wind_speed_10m', 'wind_direction_10m', 'is_day', 'weather_code'];

/** @throws ProtocolError REQUEST_INVALID for a name that Open-Meteo does not have */
export function findNames({ names }: OpenMeteoRequest, family: Family): FoundNames {
  const find = <Found>(
    section: string,
    asked: readonly string[],
    of: (name: string, family: Family) => Found | undefined,
  ) =>
    asked.map((name): readonly [string, Found] => {
      const found = of(name, family);
      if (found === undefined)
        throw invalid(
          `Data corrupted at path '${section}'. Cannot initialize a variable from invalid String value ${quoted(name)}.${suggestion(todaysName(name), KNOWN_NAMES)}`,
        );
      return [name, found];
    });
  const current = names.currentWeather ? [...new Set([...names.current, ...CURRENT_WEATHER])] : names.current;
  return {
    current: find('current', current, timeName),
    minutely15: find('minutely_15', names.minutely15, timeName),
    hourly: find('hourly', names.hourly, timeName),
    daily: find('daily', names.daily, dailyName),
  };
}

/** The times of the sections of a place. */
export interface Axes {
  readonly current: ValueAxis;
  readonly minutely15: TimeAxis;
  readonly hourly: TimeAxis;
  readonly daily: DayAxis;
}

/** Reporting interval of a station whose own is unknown, in seconds. */
const DEFAULT_INTERVAL = 3600;

/**
 * The times of the sections that have names. The others have none, because a request without names would pay for its times.
 *
 * @throws ProtocolError REQUEST_INVALID for times that are too far in the future
 */
export function axesOf(
  { span }: Place,
  zone: ReplyZone,
  { station, asOf: now }: Pick<StationSnapshot, 'station' | 'asOf'>,
  hours: number,
  names: FoundNames,
): Axes {
  const offset = clockOffset(zone);
  const limit = floor(now + offset, MILLISECONDS.day) + MAX_AHEAD * MILLISECONDS.day;
  const [from, to] = daysOf(span, now, offset, limit);
  const axis = (name: 'hourly' | 'minutely15', step: number): TimeAxis => {
    const of: StepSpan = span[name];
    if ((of.range?.last ?? 0) >= limit + MILLISECONDS.day)
      throw tooLate(name === 'hourly' ? 'end_hour' : 'end_minutely_15', limit);
    if (names[name].length === 0) return { times: new Float64Array(), step };
    const [begin, end] = of.range
      ? [of.range.first - offset, of.range.last - offset + step]
      : (of.past ?? of.ahead) === undefined
        ? [from, to]
        : [floor(now, step) - (of.past ?? 0) * step, floor(now, step) + (of.ahead ?? 0) * step];
    return { times: regular(begin, end, step), step };
  };
  const hourly = axis('hourly', MILLISECONDS.hour);
  return {
    current: {
      times: Float64Array.of(floor(now, QUARTER)),
      step: QUARTER,
      // The newest report of the station, which may be late.
      maxAge: (station.reportingInterval ?? DEFAULT_INTERVAL) * MILLISECONDS.second + REACH,
    },
    minutely15: axis('minutely15', QUARTER),
    hourly: { ...hourly, times: hourly.times.filter((_, index) => index % hours === 0) },
    daily: {
      starts: names.daily.length === 0 ? new Float64Array() : regular(from, to, MILLISECONDS.day),
      clock: clockZone(zone),
      offset,
    },
  };
}

const floor = (time: number, step: number) => Math.floor(time / step) * step;

/** Most days after today. */
const MAX_AHEAD = 16;
/** The largest number of times of a section; a longer one is refused before it is made. */
const MAX_TIMES = 300_000;

function daysOf(
  { days, pastDays, forecastDays }: Span,
  now: number,
  offset: number,
  limit: number,
): readonly [number, number] {
  const today = floor(now + offset, MILLISECONDS.day);
  const [first, last] = days
    ? [days.first, days.last]
    : [today - pastDays * MILLISECONDS.day, today + (forecastDays - 1) * MILLISECONDS.day];
  if (last > limit) throw tooLate('end_date', limit);
  return [first - offset, last + MILLISECONDS.day - offset];
}

function tooLate(name: string, limit: number): Error {
  const last = new Date(limit).toISOString().slice(0, 10);
  return invalid(`Parameter '${name}' is out of allowed range from 1600-01-01 to ${last}`);
}

function regular(begin: number, end: number, step: number): Float64Array {
  const count = Math.max(0, Math.ceil((end - begin) / step));
  if (count > MAX_TIMES) throw tooMany();
  return Float64Array.from({ length: count }, (_, index) => begin + index * step);
}

export function tooMany(): Error {
  return invalid(
    `The request asks for more than ${MAX_VALUES} values. Request fewer variables, fewer locations or a shorter time.`,
  );
}

/** Number of values of a place, for the limit of a request. */
export function countValues(names: FoundNames, axes: Axes): number {
  return (
    names.current.length +
    names.minutely15.length * axes.minutely15.times.length +
    names.hourly.length * axes.hourly.times.length +
    // The values of a day are computed from its hours.
    names.daily.length * axes.daily.starts.length * 24
  );
}

/** Computes the sections of a place, in the order of Open-Meteo. Sections without variables are left out. */
export async function sectionsOf(
  values: StationValues,
  names: FoundNames,
  axes: Axes,
  { units }: OpenMeteoRequest,
): Promise<readonly Section[]> {
  const sections: Section[] = [];
  for (const [name, key] of [
    ['current', 'current'],
    ['minutely_15', 'minutely15'],
    ['hourly', 'hourly'],
  ] as const) {
    if (names[key].length === 0) continue;
    const axis = axes[key];
    // oxlint-disable-next-line no-await-in-loop -- the sections share the permit of one request
    const columns = await values.atTimes(
      axis,
      names[key].map(([, found]) => found),
    );
    sections.push({
      name,
      ...axis,
      columns: columns.map((column, index) => columnOf(names[key][index], column)),
    });
  }
  if (names.daily.length > 0) {
    const columns = await values.ofDays(
      axes.daily,
      names.daily.map(([, found]) => found),
    );
    const shown = columns.map((column, index) => columnOf(names.daily[index], column));
    sections.push({ name: 'daily', times: axes.daily.starts, step: MILLISECONDS.day, columns: shown });
  }
  return sections;

  function columnOf(
    asked: readonly [string, TimeName | DailyName] | undefined,
    column: Float64Array,
  ): Column {
    const [name, { dimension }] = asked as readonly [string, TimeName];
    const { unit, convert } = unitOf(dimension, units);
    return { name, unit, values: column.map(convert) };
  }
}

/** Whether the values of a column are times, in seconds since 1970-01-01T00:00:00Z. */
export const isTimes = ({ unit }: Column): boolean => unit === UNITS.iso8601 || unit === UNITS.unixtime;
