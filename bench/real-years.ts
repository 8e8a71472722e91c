import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import type { Neighbor } from '#domain/weather/quality/recheck-range.js';
import { rulesOf, type StationRules } from '#domain/weather/quality/station-rules.js';
import { saturationVaporPressure } from '#domain/weather/derived/vapor.js';
import { lowerBound, type Series } from '#domain/weather/series.js';
import { V } from '#domain/weather/variables.js';

/** A real year of hourly observations. */
export interface RealYear {
  readonly name: string;
  readonly stations: readonly RealStation[];
}

export interface RealStation {
  readonly id: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly elevation: number;
  readonly series: Series;
  /**
   * Rows with a known defect. Their flags are not counted as false alarms, and no fault is planted at them. Their values are
   * still part of the series.
   */
  readonly defects: ReadonlySet<number>;
}

export const RULES: StationRules = rulesOf({ limits: {}, reportingInterval: 3600 });

/** A known defect of the data. The values of the variable from `from` to `to` are excluded. */
type Defect = readonly [station: string, variable: number, from: string, to: string, what: string];

type Fields = Readonly<Record<string, string>>;

const KNOTS = 1852 / 3600;
const MPH = 0.44704;
const INCH = 25.4;
const celsius = (value: number) => (value - 32) / 1.8;

/** For each column: its heading, the number of its variable, and the conversion of its values. */
type Columns = readonly (readonly [string, number, (value: number) => number])[];
const same = (value: number) => value;

const IRELAND: Columns = [
  ['temp', V.temperature, same],
  ['rhum', V.humidity, same],
  ['msl', V.seaLevelPressure, same],
  ['wdsp', V.windSpeed, (value) => value * KNOTS],
  ['wddir', V.windDirection, same],
  ['rain', V.precipitation, same],
];
const NEW_YORK: Columns = [
  ['temp', V.temperature, celsius],
  ['dewp', V.dewPoint, celsius],
  ['humid', V.humidity, same],
  ['pressure', V.seaLevelPressure, same],
  ['wind_speed', V.windSpeed, (value) => value * MPH],
  ['wind_dir', V.windDirection, same],
  ['wind_gust', V.gust, (value) => value * MPH],
  ['precip', V.precipitation, (value) => value * INCH],
];

const IRISH_DEFECTS: readonly Defect[] = [
  ['SherkinIsland', V.humidity, '2017-11-18', '2017-11-29', 'sensor broken: 21 to 41 % among gaps'],
];
const NEW_YORK_DEFECTS: readonly Defect[] = [
  ['EWR', V.windSpeed, '2013-02-12T08:00Z', '2013-02-12T10:00Z', '1048 mph'],
  ['JFK', V.temperature, '2013-05-09T02:00Z', '2013-05-09T04:00Z', '13.1 °F between 57.0 and 57.2'],
  ['JFK', V.dewPoint, '2013-05-09T02:00Z', '2013-05-09T04:00Z', 'of the same row'],
  ['JFK', V.humidity, '2013-05-09T02:00Z', '2013-05-09T04:00Z', 'of the same row'],
];

const read = (path: string) =>
  parse<Fields>(gunzipSync(readFileSync(path)), { columns: true, skip_empty_lines: true });

/**
 * Reads the observations of Ireland in 2017 by Met Éireann, from the R package aimsir17.
 *
 * @param folder folder with observations.csv.gz and stations.csv.gz
 */
export function ireland(folder: string): RealYear {
  const rows = read(join(folder, 'observations.csv.gz'));
  const stations = read(join(folder, 'stations.csv.gz')).map((one) => ({
    id: one['station'] ?? '',
    latitude: Number(one['latitude']),
    longitude: Number(one['longitude']),
    elevation: Number(one['height']),
    series: seriesOf(
      rows.filter(({ station }) => station === one['station']),
      'date',
      IRELAND,
    ),
    defects: new Set<number>(),
  }));
  return withoutDefects({ name: 'Ireland 2017, 25 stations', stations }, IRISH_DEFECTS);
}

const AIRPORTS = [
  { id: 'EWR', latitude: 40.6925, longitude: -74.1687, elevation: 5.5 },
  { id: 'JFK', latitude: 40.6398, longitude: -73.7789, elevation: 4 },
  { id: 'LGA', latitude: 40.7772, longitude: -73.8726, elevation: 6.7 },
];

/** Reads the observations of New York in 2013 from the data of the demo. */
export function newYork(): RealYear {
  const file = fileURLToPath(new URL('../../demo/nyc-hourly-2013.csv.gz', import.meta.url));
  const rows = read(file);
  const stations = AIRPORTS.map((airport) => {
    const own = rows.filter(({ origin }) => origin === airport.id);
    const series = seriesOf(own, 'time_hour', NEW_YORK);
    return { ...airport, series, defects: oddHumidities(series) };
  });
  return withoutDefects({ name: 'New York 2013, 3 stations', stations }, NEW_YORK_DEFECTS);
}

/** The rows whose humidity contradicts their temperature and dew point, 1,278 in all. */
function oddHumidities({ values }: Series): Set<number> {
  const [temperatures, dewPoints, humidities] = [V.temperature, V.dewPoint, V.humidity].map(
    (variable) => values.get(variable) as Float64Array,
  ) as [Float64Array, Float64Array, Float64Array];
  const rows = [...humidities.keys()].filter((row) => {
    const saturation = saturationVaporPressure(temperatures[row] as number);
    const computed = (100 * saturationVaporPressure(dewPoints[row] as number)) / saturation;
    return Math.abs((humidities[row] as number) - computed) > 1.2;
  });
  return new Set(rows);
}

function seriesOf(rows: readonly Fields[], time: string, columns: Columns): Series {
  const sorted = rows
    .map((row) => ({ time: Date.parse(row[time] ?? ''), row }))
    .sort((left, right) => left.time - right.time);
  const values = columns.map(([column, variable, convert]) => {
    const numbers = sorted.map(({ row }) => {
      const text = row[column] ?? '';
      return text === '' || text === 'NA' ? Number.NaN : convert(Number(text));
    });
    return [variable, Float64Array.from(numbers)] as const;
  });
  return { times: Float64Array.from(sorted, (one) => one.time), values: new Map(values), flags: new Map() };
}

function withoutDefects(year: RealYear, defects: readonly Defect[]): RealYear {
  for (const [id, variable, from, to] of defects) {
    const { series } = year.stations.find((station) => station.id === id) as RealStation;
    const first = lowerBound(series.times, Date.parse(from));
    series.values.get(variable)?.fill(Number.NaN, first, lowerBound(series.times, Date.parse(to)));
  }
  return year;
}

/** The neighbors of a station, with which its values are compared: all other stations in the data of the year. */
export function neighborsOf(station: RealStation, { stations }: RealYear): Neighbor[] {
  return stations
    .filter((other) => other !== station)
    .map((other) => ({
      distance: metersBetween(station, other),
      higher: other.elevation - station.elevation,
      series: other.series,
      rules: RULES,
    }));
}

function metersBetween(one: RealStation, other: RealStation): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const [north, east] = [other.latitude - one.latitude, other.longitude - one.longitude].map(
    (difference) => Math.sin(radians(difference) / 2) ** 2,
  ) as [number, number];
  const cosines = Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude));
  return 2 * 6_371_000 * Math.asin(Math.sqrt(north + cosines * east));
}
