import { Builder } from 'flatbuffers';
import { MILLISECONDS } from '#domain/time.js';
import { todaysName } from './names.js';
import type { LocationReply } from './location-reply.js';
import { type Column, isTimes, type Section } from './sections.js';

/** `Model.best_match`, which clients expect without a choice of models. */
const BEST_MATCH = 1;
/** A missing time. */
const NO_TIME = 2n ** 63n - 1n;

/** Fields of the tables of the schema `weather_api.fbs` of open-meteo/sdk, in their order. */
const FIELDS = {
  response: {
    latitude: 0,
    longitude: 1,
    elevation: 2,
    generationTime: 3,
    locationId: 4,
    model: 5,
    offset: 6,
    zone: 7,
    abbreviation: 8,
    count: 15,
  },
  sections: { current: 9, daily: 10, hourly: 11, minutely_15: 12 },
  section: { time: 0, end: 1, interval: 2, variables: 3, count: 4 },
  variable: { variable: 0, unit: 1, value: 2, values: 3, times: 4, altitude: 5, aggregation: 6, count: 13 },
} as const;

/** Numbers of the enum `Variable` of open-meteo/sdk, by the name without height, depth and method. */
const VARIABLES: Readonly<Record<string, number>> = {
  apparent_temperature: 1,
  cape: 2,
  cloud_cover: 3,
  daylight_duration: 7,
  dew_point: 8,
  et0_fao_evapotranspiration: 15,
  is_day: 19,
  precipitation: 24,
  precipitation_hours: 25,
  precipitation_probability: 26,
  pressure_msl: 27,
  rain: 28,
  relative_humidity: 29,
  shortwave_radiation: 32,
  showers: 34,
  snow_depth: 35,
  snowfall: 37,
  sunrise: 40,
  sunset: 41,
  surface_pressure: 45,
  temperature: 47,
  uv_index: 52,
  vapour_pressure_deficit: 54,
  visibility: 55,
  weather_code: 56,
  wind_direction: 57,
  wind_gusts: 58,
  wind_speed: 59,
  wet_bulb_temperature: 62,
  pm10: 75,
  pm2_5: 76,
  sunshine_duration: 103,
  carbon_dioxide: 130,
  moonrise: 169,
  moonset: 170,
  moon_phase: 171,
};

const AGGREGATIONS: Readonly<Record<string, number>> = { min: 1, max: 2, mean: 3, dominant: 9, sum: 10 };

/** The reply as FlatBuffers: a message with its size in front for each place. */
export function toFlatBuffers(replies: readonly LocationReply[]): Uint8Array {
  return Buffer.concat(replies.map(messageOf));
}

function messageOf(reply: LocationReply): Uint8Array {
  const builder = new Builder(64 * 1024);
  const { response, sections: places } = FIELDS;
  const sections = reply.sections
    .filter(({ name }) => name !== 'current' || reply.showsCurrent)
    .map((section) => [places[section.name], sectionOf(builder, section)] as const);
  const { zone } = reply;
  // Clients of GMT expect no name.
  const names = zone.isGmt
    ? undefined
    : [builder.createString(zone.name), builder.createString(zone.abbreviation)];
  builder.startObject(response.count);
  builder.addFieldFloat32(response.latitude, reply.latitude, 0);
  builder.addFieldFloat32(response.longitude, reply.longitude, 0);
  builder.addFieldFloat32(response.elevation, reply.elevation ?? Number.NaN, 0);
  builder.addFieldFloat32(response.generationTime, reply.generationTime, 0);
  builder.addFieldInt64(response.locationId, BigInt(reply.id), 0n);
  builder.addFieldInt8(response.model, BEST_MATCH, 0);
  builder.addFieldInt32(response.offset, zone.offset, 0);
  if (names !== undefined) {
    builder.addFieldOffset(response.zone, names[0] as number, 0);
    builder.addFieldOffset(response.abbreviation, names[1] as number, 0);
  }
  for (const [field, offset] of sections) builder.addFieldOffset(field, offset, 0);
  builder.finishSizePrefixed(builder.endObject());
  return builder.asUint8Array();
}

function sectionOf(builder: Builder, section: Section): number {
  const { times, step, columns } = section;
  const { time, end, interval, variables, count } = FIELDS.section;
  const offsets = columns.map((column) => columnOf(builder, column, section.name === 'current'));
  builder.startVector(4, offsets.length, 4);
  for (const offset of offsets.toReversed()) builder.addOffset(offset);
  const list = builder.endVector();
  const begin = times[0] ?? 0;
  builder.startObject(count);
  builder.addFieldInt64(time, seconds(begin), 0n);
  builder.addFieldInt64(end, seconds(times.length === 0 ? begin : (times.at(-1) as number) + step), 0n);
  builder.addFieldInt32(interval, step / MILLISECONDS.second, 0);
  builder.addFieldOffset(variables, list, 0);
  return builder.endObject();
}

const seconds = (time: number) => BigInt(Math.floor(time / MILLISECONDS.second));

function columnOf(builder: Builder, column: Column, isCurrent: boolean): number {
  const { values, unit } = column;
  const {
    variable,
    unit: unitField,
    value,
    values: list,
    times,
    altitude,
    aggregation,
    count,
  } = FIELDS.variable;
  const offset = isCurrent ? 0 : vectorOf(builder, column);
  const described = describe(column.name);
  builder.startObject(count);
  builder.addFieldInt8(variable, described.variable, 0);
  builder.addFieldInt8(unitField, unit.code, 0);
  if (isCurrent) builder.addFieldFloat32(value, values[0] ?? Number.NaN, 0);
  else builder.addFieldOffset(isTimes(column) ? times : list, offset, 0);
  builder.addFieldInt16(altitude, described.altitude, 0);
  builder.addFieldInt8(aggregation, described.aggregation, 0);
  return builder.endObject();
}

function vectorOf(builder: Builder, column: Column): number {
  const { values } = column;
  if (isTimes(column)) {
    builder.startVector(8, values.length, 8);
    for (const value of values.toReversed())
      builder.addInt64(Number.isNaN(value) ? NO_TIME : BigInt(Math.round(value)));
    return builder.endVector();
  }
  builder.startVector(4, values.length, 4);
  for (const value of values.toReversed()) builder.addFloat32(value);
  return builder.endVector();
}

/** `temperature_2m_max` is the temperature, at an altitude of 2 m, with the aggregation maximum. */
function describe(name: string): {
  readonly variable: number;
  readonly altitude: number;
  readonly aggregation: number;
} {
  const today = todaysName(name);
  const whole = VARIABLES[today];
  if (whole !== undefined) return { variable: whole, altitude: 0, aggregation: 0 };
  const [, base = today, height = '0', method = ''] =
    /^(.+?)(?:_(\d+)m)?(?:_(min|max|mean|sum|dominant))?$/.exec(today) ?? [];
  return {
    variable: VARIABLES[base] ?? 0,
    altitude: Number(height),
    aggregation: AGGREGATIONS[method] ?? 0,
  };
}
