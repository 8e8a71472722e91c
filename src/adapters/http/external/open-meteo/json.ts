import { MILLISECONDS } from '#domain/time.js';
import { type LocationReply, localText } from './location-reply.js';
import { type Column, isTimes, type Section } from './sections.js';
import { rounded, UNITS } from './units.js';

/** The reply as JSON: one object, or a list if several places were asked for. */
export function toJson(replies: readonly LocationReply[], isList: boolean): string {
  const texts = replies.map((reply, index) => JSON.stringify(locationOf(reply, index)));
  return isList ? `[${texts.join(',')}]` : (texts[0] as string);
}

function locationOf(reply: LocationReply, index: number) {
  const { latitude, longitude, elevation, zone, sections } = reply;
  return {
    latitude,
    longitude,
    generationtime_ms: reply.generationTime,
    utc_offset_seconds: zone.offset,
    timezone: zone.name,
    timezone_abbreviation: zone.abbreviation,
    ...(elevation !== null && { elevation }),
    // The first place of Open-Meteo has no number.
    ...((index > 0 || reply.id !== 0) && { location_id: reply.id }),
    ...Object.assign({}, ...sections.map((section) => sectionOf(section, reply))),
  };
}

function sectionOf(section: Section, reply: LocationReply): object {
  const { name, columns, times, step } = section;
  const timeUnit = UNITS[reply.units.time].text;
  const units = Object.fromEntries(columns.map(({ name: column, unit }) => [column, unit.text]));
  if (name === 'current') {
    const interval = step / MILLISECONDS.second;
    const fields = { time: timesOf(section, reply)[0], interval };
    const currentUnits = { time: timeUnit, interval: 'seconds' };
    const first = (column: Column) => valuesOf(column, reply)[0];
    return {
      ...(reply.showsCurrent && {
        current_units: { ...currentUnits, ...units },
        current: { ...fields, ...Object.fromEntries(columns.map((column) => [column.name, first(column)])) },
      }),
      ...(reply.showsCurrentWeather && currentWeather(columns, first, fields, currentUnits)),
    };
  }
  return {
    [`${name}_units`]: { time: timeUnit, ...units },
    [name]: {
      time: timesOf({ name, times }, reply),
      ...Object.fromEntries(columns.map((column) => [column.name, valuesOf(column, reply)])),
    },
  };
}

/** The fields of the old section `current_weather`, by today's names. */
const OLD_FIELDS = {
  temperature_2m: 'temperature',
  wind_speed_10m: 'windspeed',
  wind_direction_10m: 'winddirection',
  is_day: 'is_day',
  weather_code: 'weathercode',
};

function currentWeather(
  columns: readonly Column[],
  first: (column: Column) => unknown,
  fields: object,
  currentUnits: object,
): object {
  const old = Object.entries(OLD_FIELDS).flatMap(([name, field]) => {
    const column = columns.find((one) => one.name === name);
    return column === undefined ? [] : [{ field, column }];
  });
  return {
    current_weather_units: {
      ...currentUnits,
      ...Object.fromEntries(old.map(({ field, column }) => [field, column.unit.text])),
    },
    current_weather: {
      ...fields,
      ...Object.fromEntries(old.map(({ field, column }) => [field, first(column)])),
    },
  };
}

export function timesOf(
  { name, times }: Pick<Section, 'name' | 'times'>,
  { units, zone }: LocationReply,
): readonly (number | string)[] {
  return Array.from(times, (time) =>
    units.time === 'unixtime' ? time / MILLISECONDS.second : localText(time, zone, name === 'daily'),
  );
}

/** The values of a column: numbers with the decimals of their unit, null for missing values, texts for times. */
export function valuesOf(
  column: Column,
  { units, zone }: LocationReply,
): readonly (number | string | null)[] {
  const { values, unit } = column;
  if (!isTimes(column))
    return Array.from(values, (value) => (Number.isNaN(value) ? null : rounded(value, unit)));
  // A day without a sunrise has a time all the same, because clients expect one in each place.
  return Array.from(values, (value) => {
    const seconds = Number.isNaN(value) ? 0 : value;
    if (units.time === 'unixtime') return seconds;
    return Number.isNaN(value) ? '1970-01-01T00:00' : localText(seconds * MILLISECONDS.second, zone, false);
  });
}
