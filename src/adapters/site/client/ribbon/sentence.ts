import { MILLISECONDS } from '#domain/time.js';
import { convertDifference, displayUnit, type UnitChoice } from '../format/units.js';
import { writeTime } from '../format/time-format.js';
import type { Text } from '../text/en.js';
import type { OutlookFact } from './outlook.js';

/** A fact of `GET /v1/stations/{id}/now`, in metric units. Facts with other codes are ignored. */
export type Fact =
  | {
      readonly code: 'temperature';
      readonly value: number;
      readonly time: string;
      readonly verdict: string;
      readonly trend: 'rising' | 'falling' | 'steady' | null;
    }
  | { readonly code: 'rain'; readonly from: string; readonly amount: number }
  | { readonly code: 'dry'; readonly since: string }
  | {
      readonly code: 'unusual';
      readonly difference: number;
      readonly direction: 'colder' | 'warmer';
      /** The date in the form `MM-DD`. */
      readonly date: string;
    }
  | { readonly code: 'usual'; readonly date: string };

/** What the sentence about a station is made of. */
export interface Present {
  readonly state: 'live' | 'silent' | 'waiting';
  readonly facts: readonly Fact[];
  /** The newest value of another variable, for a station without a thermometer. */
  readonly other?: {
    readonly variable: string;
    readonly value: number;
    readonly unit: string;
    readonly time: string;
  };
  /** The last temperature that passed quality control, if the newest one did not. */
  readonly lastGood?: { readonly value: number; readonly time: string };
}

/** The sentence about the present weather: a large part, and facts that are sentences of their own. */
export interface Sentence {
  readonly large: string;
  readonly facts: readonly string[];
  /** Whether the large value did not pass quality control. */
  readonly isDoubtful: boolean;
  /** Whether the value is old, so that the large part is in the past. */
  readonly isPast: boolean;
}

/** The visitor and the station: language, units, numbers, and the time zone of the station. */
export interface Writer {
  readonly text: Text;
  readonly language: string;
  readonly units: UnitChoice;
  readonly number: (value: number, decimals: number) => string;
  readonly zone: string;
  /** The current time in ms since 1970. */
  readonly now: number;
}

/** A time of the last hours is written without its day, even if it was yesterday. */
const CLOCK_ONLY = 18 * MILLISECONDS.hour;
const TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/** Writes the sentence about the present weather of a station. */
export function sentenceOf(present: Present, writer: Writer): Sentence {
  const { sentence: words } = writer.text;
  if (present.state === 'waiting')
    return { large: words.waiting, facts: [], isDoubtful: false, isPast: false };
  const isPast = present.state === 'silent';
  const temperature = present.facts.find((fact) => fact.code === 'temperature');
  const value = temperature
    ? amount('air_temperature', '°C', temperature.value, writer)
    : otherValue(present, writer);
  const time = temperature?.time ?? present.other?.time;
  let large = value ?? writer.text.value.none;
  if (isPast && time !== undefined) large = momentPhrase(large, Date.parse(time), writer);
  else if (temperature?.verdict === 'pass' && temperature.trend !== null)
    large = words.trend(large, words.trends[temperature.trend]);
  return {
    large,
    facts: isPast ? [] : present.facts.flatMap((fact) => factText(fact, writer) ?? []),
    isDoubtful: temperature !== undefined && temperature.verdict !== 'pass',
    isPast,
  };
}

/**
 * The title of the page. It has the newest temperature that passed quality control. If this is not the newest temperature, or if the
 * station is silent, the time stands behind it.
 */
export function stationTitle(name: string, present: Present, writer: Writer): string {
  const { sentence: words, site } = writer.text;
  const temperature = present.facts.find((fact) => fact.code === 'temperature');
  const isGood = temperature?.verdict === 'pass';
  const shown = isGood ? temperature : present.lastGood;
  if (shown === undefined) return `${name} · ${site.name}`;
  const value = amount('air_temperature', '°C', shown.value, writer);
  if (isGood && present.state === 'live') return words.title(value, name);
  return words.title(momentPhrase(value, Date.parse(shown.time), writer), name);
}

function otherValue({ other }: Present, writer: Writer): string | undefined {
  if (other === undefined) return undefined;
  const { variables, charts } = writer.text;
  const name = variables[other.variable] ?? charts.variables[other.variable] ?? other.variable;
  return `${name} ${amount(other.variable, other.unit, other.value, writer)}`;
}

function factText(fact: Fact, writer: Writer): string | undefined {
  const { sentence: words } = writer.text;
  switch (fact.code) {
    case 'rain':
      return words.rain(
        since(Date.parse(fact.from), writer),
        amount('precipitation_amount', 'mm', fact.amount, writer),
      );
    case 'dry':
      return words.dry(
        since(Date.parse(fact.since), writer),
        writer.now - Date.parse(fact.since) < CLOCK_ONLY,
      );
    case 'unusual': {
      const unit = displayUnit('air_temperature', '°C', writer.units);
      const degrees = Math.round(Math.abs(convertDifference(unit, fact.difference)));
      const date = dateName(fact.date, writer);
      if (degrees < 1) return words.usual(date);
      return words.unusual(degrees, writer.number(degrees, 0), fact.direction, date);
    }
    case 'usual':
      return words.usual(dateName(fact.date, writer));
    default:
      return undefined;
  }
}

/** Writes a fact of the forecast. Its values are whole numbers, because a forecast is not more exact. */
export function outlookText(fact: OutlookFact, writer: Writer): string {
  const { dry, frost, gust } = writer.text.forecast;
  switch (fact.code) {
    case 'dry':
      return dry(since(fact.from, writer));
    case 'frost': {
      const degrees = (celsius: number, decimals?: number) =>
        amount('air_temperature', '°C', celsius, writer, decimals);
      const lowest = degrees(fact.lowest, 0);
      // A temperature just below the freezing point is not written as the freezing point.
      return frost(since(fact.from, writer), lowest === degrees(0, 0) ? degrees(fact.lowest) : lowest);
    }
    default:
      return gust(amount('wind_speed', 'm/s', fact.speed, writer, 0), since(fact.time, writer));
  }
}

/** Writes a date without its year. @param date in the form `MM-DD` */
function dateName(date: string, { language }: Writer): string {
  return writeTime(Date.parse(`2000-${date}T12:00:00Z`), language, 'UTC', { day: 'numeric', month: 'long' });
}

function amount(
  variable: string,
  metric: string,
  value: number,
  { units, number }: Writer,
  places?: number,
): string {
  const { unit, decimals, convert } = displayUnit(variable, metric, units);
  const written = number(convert(value), places ?? decimals);
  return unit === '1' ? written : `${written} ${unit}`;
}

/** A value with its time; with its date if it is not of today. */
function momentPhrase(value: string, time: number, writer: Writer): string {
  const { sentence: words } = writer.text;
  const clock = writeTime(time, writer.language, writer.zone, TIME);
  if (writer.now - time < MILLISECONDS.day) return words.at(value, clock);
  const date = writeTime(time, writer.language, writer.zone, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  });
  return words.on(value, date, clock);
}

/** A time of today, of the last and the next days with its weekday, or a date. */
function since(time: number, writer: Writer): string {
  const { language, zone } = writer;
  const { sentence: words } = writer.text;
  const clock = writeTime(time, language, zone, TIME);
  if (isToday(time, writer) || Math.abs(writer.now - time) < CLOCK_ONLY) return words.clock(clock);
  if (writer.now - time < 5 * MILLISECONDS.day)
    return words.weekday(writeTime(time, language, zone, { weekday: 'long' }), clock);
  const style = { day: 'numeric', month: 'long' } as const;
  const isThisYear = yearOf(time, writer) === yearOf(writer.now, writer);
  return writeTime(time, language, zone, isThisYear ? style : { ...style, year: 'numeric' });
}

const yearOf = (time: number, { zone }: Writer) => writeTime(time, 'en', zone, { year: 'numeric' });

function isToday(time: number, { zone, now }: Writer): boolean {
  const style = { day: 'numeric', month: 'numeric', year: 'numeric' } as const;
  return writeTime(time, 'en', zone, style) === writeTime(now, 'en', zone, style);
}
