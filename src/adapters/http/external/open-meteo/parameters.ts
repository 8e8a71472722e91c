import { quoted } from '#domain/quoted.js';
import { MILLISECONDS } from '#domain/time.js';
import { ProtocolError } from '../../core/errors.js';
import type { ChosenUnits } from './units.js';

/** The parameters of a request: the values of each name, as sent in a query, a form or a JSON object. */
export type Parameters = ReadonlyMap<string, readonly string[]>;

export const FORMATS = ['json', 'csv', 'flatbuffers'] as const;
export type Format = (typeof FORMATS)[number];

/** A place that a request asks for. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
  /** The number of the place in replies. */
  readonly id: number;
  readonly span: Span;
  /** A name of the time zone database, or `auto` for the time zone of the station. */
  readonly timeZone: string;
}

/** The asked times. Times are local: milliseconds of the local clock since 1970-01-01T00:00. */
export interface Span {
  /** The first and the last day; undefined for days around today. */
  readonly days: { readonly first: number; readonly last: number } | undefined;
  readonly pastDays: number;
  readonly forecastDays: number;
  readonly hourly: StepSpan;
  readonly minutely15: StepSpan;
}

/** The asked times of a section with steps shorter than a day, where they differ from the days. */
export interface StepSpan {
  /** The first and the last local time. */
  readonly range: { readonly first: number; readonly last: number } | undefined;
  /** Steps before and after the present. */
  readonly past: number | undefined;
  readonly ahead: number | undefined;
}

export interface AskedNames {
  readonly current: readonly string[];
  readonly minutely15: readonly string[];
  readonly hourly: readonly string[];
  readonly daily: readonly string[];
  /** Whether the old section `current_weather` is asked for. */
  readonly currentWeather: boolean;
}

export interface OpenMeteoRequest {
  readonly places: readonly Place[];
  readonly names: AskedNames;
  readonly units: ChosenUnits;
  readonly format: Format;
  readonly omitsLocation: boolean;
  /** Hours between two times of `hourly`. */
  readonly hours: number;
}

/** Most places of a request. */
const MAX_PLACES = 100;
const MAX_NAMES = 100;
const LIMITS = { pastDays: 93, forecastDays: 16, steps: 93 * 24 * 4 } as const;
/** The service accepts observations since 1600. */
const FIRST_DAY = Date.UTC(1600, 0, 1);

/** An error that clients show: their sentences are those of Open-Meteo where clients compare them. */
export function invalid(reason: string): ProtocolError {
  return new ProtocolError('REQUEST_INVALID', reason);
}

/** @param text a query or a form, without the question mark */
export function formParameters(text: string): Parameters {
  const found = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) listIn(found, name).push(...items(value));
  return found;
}

/** @throws ProtocolError REQUEST_INVALID unless `text` is a JSON object with texts, numbers, booleans and lists of them */
export function jsonParameters(text: string): Parameters {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw invalid('The body is not valid JSON.');
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalid('The body must be a JSON object.');
  const found = new Map<string, string[]>();
  for (const [name, value] of Object.entries(body as Record<string, unknown>)) {
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (one === null) continue;
      if (typeof one !== 'string' && typeof one !== 'number' && typeof one !== 'boolean')
        throw invalid(`Parameter ${quoted(name)} must be a text, a number or a list of them.`);
      listIn(found, name).push(...items(String(one)));
    }
  }
  return found;
}

function listIn(lists: Map<string, string[]>, name: string): string[] {
  const list = lists.get(name) ?? [];
  lists.set(name, list);
  return list;
}

/** Lists are separated by commas; an empty list has no items. */
const items = (value: string) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/**
 * Reads the parameters of a request. Parameters that weatherd has no use for, such as `models`, are ignored.
 *
 * @param isArchive whether the first and the last day must be given
 * @throws ProtocolError REQUEST_INVALID
 */
export function readRequest(parameters: Parameters, isArchive: boolean): OpenMeteoRequest {
  const names = namesOf(parameters, isArchive);
  if (parameters.has('bounding_box')) throw invalid("Parameter 'bounding_box' is not supported.");
  return {
    places: placesOf(parameters, isArchive),
    names,
    units: {
      temperature: choice(parameters, ['temperature_unit'], ['celsius', 'fahrenheit']),
      windSpeed: choice(parameters, ['wind_speed_unit', 'windspeed_unit'], ['kmh', 'ms', 'mph', 'kn']),
      precipitation: choice(parameters, ['precipitation_unit'], ['mm', 'inch']),
      length: choice(parameters, ['length_unit'], ['metric', 'imperial']),
      time: choice(parameters, ['timeformat'], ['iso8601', 'unixtime']),
    },
    format: choice(parameters, ['format'], FORMATS),
    omitsLocation: choice(parameters, ['location_information'], ['section', 'omit']) === 'omit',
    hours: resolutionOf(parameters),
  };
}

function resolutionOf(parameters: Parameters): number {
  const resolutions = ['hourly', 'native', 'hourly_1', 'hourly_3', 'hourly_6'] as const;
  return Number(/\d$/.exec(choice(parameters, ['temporal_resolution'], resolutions))?.[0] ?? 1);
}

function namesOf(parameters: Parameters, isArchive: boolean): AskedNames {
  const list = (name: string) => [...new Set(parameters.get(name) ?? [])];
  const names = {
    current: isArchive ? [] : list('current'),
    minutely15: isArchive ? [] : list('minutely_15'),
    hourly: list('hourly'),
    daily: list('daily'),
    currentWeather: !isArchive && parameters.get('current_weather')?.[0]?.toLowerCase() === 'true',
  };
  for (const name of ['weekly', 'monthly'])
    if (list(name).length > 0) throw invalid(`Parameter '${name}' is not supported.`);
  for (const asked of [names.current, names.minutely15, names.hourly, names.daily])
    if (asked.length > MAX_NAMES)
      throw invalid(`At most ${MAX_NAMES} variables of a section can be requested.`);
  return names;
}

function choice<const Value extends string>(
  parameters: Parameters,
  names: readonly string[],
  values: readonly [Value, ...Value[]],
): Value {
  const sent = names.flatMap((name) => parameters.get(name) ?? [])[0];
  if (sent === undefined) return values[0];
  const found = values.find((value) => value === sent.toLowerCase());
  if (found === undefined)
    throw invalid(
      `Data corrupted at path ''. Cannot initialize ${names[0]} from invalid String value ${quoted(sent)}. The values are ${values.join(', ')}.`,
    );
  return found;
}

function placesOf(parameters: Parameters, isArchive: boolean): readonly Place[] {
  const [latitudes, longitudes] = [numbers(parameters, 'latitude'), numbers(parameters, 'longitude')];
  if (latitudes.length === 0) throw invalid("Parameter 'latitude' and 'longitude' must be given.");
  const zones = parameters.get('timezone') ?? [];
  const [firsts, lasts] = [dates(parameters, 'start_date'), dates(parameters, 'end_date')];
  if (firsts.length !== lasts.length)
    throw invalid("Parameter 'start_date' and 'end_date' must have the same number of elements");
  if (isArchive && firsts.length === 0) throw invalid("Parameter 'start_date' and 'end_date' must be set");
  const ids = wholeNumbers(parameters, 'location_id');
  for (const id of ids) assertWithin('Location id', id, Number.MAX_SAFE_INTEGER);
  if (longitudes.length !== latitudes.length)
    throw invalid("Parameter 'latitude' and 'longitude' must have the same number of elements");
  const count = Math.max(latitudes.length, firsts.length);
  if (count > MAX_PLACES) throw invalid(`At most ${MAX_PLACES} locations can be requested.`);
  for (const [name, list] of Object.entries({
    latitude: latitudes,
    start_date: firsts,
    timezone: zones,
    location_id: ids,
  }))
    if (list.length > 1 && list.length !== count)
      throw invalid(`Parameter '${name}' must have one element or as many as there are locations`);
  const at = <Item>(list: readonly Item[], index: number) => (list.length > 1 ? list[index] : list[0]);
  return Array.from({ length: count }, (_, index): Place => {
    const [latitude, longitude] = [at(latitudes, index) as number, at(longitudes, index) as number];
    if (Math.abs(latitude) > 90)
      throw invalid(`Latitude must be in range of -90 to 90°. Given: ${shown(latitude)}.`);
    if (Math.abs(longitude) > 180)
      throw invalid(`Longitude must be in range of -180 to 180°. Given: ${shown(longitude)}.`);
    const [first, last] = [at(firsts, index), at(lasts, index)];
    const days = first === undefined || last === undefined ? undefined : { first, last };
    return {
      latitude,
      longitude,
      id: at(ids, index) ?? index,
      timeZone: at(zones, index) ?? 'GMT',
      span: spanOf(parameters, days),
    };
  });
}

const shown = (degrees: number) => (Number.isInteger(degrees) ? degrees.toFixed(1) : String(degrees));

function spanOf(parameters: Parameters, days: Span['days']): Span {
  const [pastDays, forecastDays] = [
    wholeNumber(parameters, 'past_days'),
    wholeNumber(parameters, 'forecast_days'),
  ];
  if (days !== undefined && ((pastDays ?? 0) !== 0 || (forecastDays ?? 0) !== 0)) {
    const name = (pastDays ?? 0) === 0 ? 'forecast_days' : 'past_days';
    throw invalid(`Parameter '${name}' is mutually exclusive with 'start_date' and 'end_date'`);
  }
  assertWithin('Past days', pastDays, LIMITS.pastDays);
  assertWithin('Forecast days', forecastDays, LIMITS.forecastDays);
  if (days !== undefined && days.last < days.first)
    throw invalid('End-date must be larger or equals than start-date');
  return {
    days,
    pastDays: pastDays ?? 0,
    forecastDays: forecastDays ?? 7,
    hourly: stepSpan(parameters, 'hour', 'hours', MILLISECONDS.hour),
    minutely15: stepSpan(parameters, 'minutely_15', 'minutely_15', 15 * MILLISECONDS.minute),
  };
}

function stepSpan(parameters: Parameters, one: string, many: string, step: number): StepSpan {
  const [first, last] = [`start_${one}`, `end_${one}`].map((name) => localTime(parameters, name));
  const [past, ahead] = [`past_${many}`, `forecast_${many}`].map((name) => wholeNumber(parameters, name));
  if ((first === undefined) !== (last === undefined))
    throw invalid(`Parameter 'start_${one}' and 'end_${one}' must have the same number of elements`);
  const range = first === undefined || last === undefined ? undefined : { first, last };
  if (range !== undefined && (past ?? ahead) !== undefined)
    throw invalid(`Parameter 'past_${many}' is mutually exclusive with 'start_${one}' and 'end_${one}'`);
  if (range !== undefined && range.last < range.first)
    throw invalid(`Parameter 'end_${one}' must not be before 'start_${one}'`);
  assertWithin(`Past ${many}`, past, LIMITS.steps);
  assertWithin(`Forecast ${many}`, ahead, LIMITS.steps);
  return {
    range: range && {
      first: Math.floor(range.first / step) * step,
      last: Math.floor(range.last / step) * step,
    },
    past,
    ahead,
  };
}

function assertWithin(title: string, value: number | undefined, max: number): void {
  if (value === undefined || (value >= 0 && value <= max)) return;
  throw invalid(`${title} is invalid. Allowed range 0 to ${max}. Given ${value}.`);
}

function numbers(parameters: Parameters, name: string): readonly number[] {
  return (parameters.get(name) ?? []).map((text) => {
    // `Number` also accepts binary, octal and hexadecimal numbers.
    const value = /^0[box]/i.test(text) ? Number.NaN : Number(text);
    if (!Number.isFinite(value))
      throw invalid(`Parameter '${name}' must be a number. Given: ${quoted(text)}.`);
    return value;
  });
}

function wholeNumbers(parameters: Parameters, name: string): readonly number[] {
  const values = numbers(parameters, name);
  for (const value of values)
    if (!Number.isInteger(value))
      throw invalid(`Parameter '${name}' must be a whole number. Given: ${value}.`);
  return values;
}

const wholeNumber = (parameters: Parameters, name: string): number | undefined =>
  wholeNumbers(parameters, name)[0];

/** Local days, as the time at which they begin. */
function dates(parameters: Parameters, name: string): readonly number[] {
  return (parameters.get(name) ?? []).map((text) => {
    const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
    // `Date.parse` accepts 2026-02-30 as a day of March.
    if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(text))
      throw invalid(`Invalid date format. Make sure to use 'YYYY-MM-DD'. Given: ${quoted(text)}.`);
    if (time < FIRST_DAY) throw invalid(`Parameter '${name}' is out of allowed range from 1600-01-01`);
    return time;
  });
}

function localTime(parameters: Parameters, name: string): number | undefined {
  const text = parameters.get(name)?.[0];
  if (text === undefined) return undefined;
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text) ? Date.parse(`${text}:00Z`) : Number.NaN;
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(text))
    throw invalid(`Invalid time format. Make sure to use 'YYYY-MM-DDTHH:MM'. Given: ${quoted(text)}.`);
  if (time < FIRST_DAY) throw invalid(`Parameter '${name}' is out of allowed range from 1600-01-01`);
  return time;
}
