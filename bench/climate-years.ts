import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { lowerBound, type Series } from '#domain/weather/series.js';
import { V, variableNamed } from '#domain/weather/variables.js';

/**
 * A typical year (TMY3) of hourly observations. Its twelve months come from several calendar years. Each row keeps the time at
 * which it was observed.
 */
export interface ClimateYear {
  readonly id: string;
  readonly climate: string;
  readonly series: Series;
  /** Rows with a known defect of a variable, by number of the variable. */
  readonly defects: ReadonlyMap<number, ReadonlySet<number>>;
}

/** Climates and the ids of their stations. `test/fixtures/README.md` describes the files of the stations. */
export const CLIMATES: readonly (readonly [climate: string, ids: readonly string[]])[] = [
  ['continental', ['chicago', 'st-louis']],
  ['tropical', ['andersen', 'honolulu']],
  ['desert', ['las-vegas', 'phoenix']],
  ['mountain', ['colorado-springs', 'golden']],
  ['coast', ['san-francisco', 'seattle']],
  ['polar', ['barrow']],
];

/** Degrees north and east of the stations, by id. */
export const POSITIONS: ReadonlyMap<string, readonly [latitude: number, longitude: number]> = new Map([
  ['chicago', [41.98, -87.9]],
  ['st-louis', [38.75, -90.37]],
  ['andersen', [13.57, 144.92]],
  ['honolulu', [21.32, -157.93]],
  ['las-vegas', [36.08, -115.15]],
  ['phoenix', [33.45, -111.98]],
  ['colorado-springs', [38.81, -104.7]],
  ['golden', [39.74, -105.18]],
  ['san-francisco', [37.62, -122.4]],
  ['seattle', [47.47, -122.32]],
  ['barrow', [71.32, -156.62]],
]);

/**
 * Values that are wrong in the source, found by visual inspection. They are of three kinds: values of one hour that differ from
 * the hours before and after while nothing else changes, pressures in whole hPa that alternate in a steady trade wind, and values
 * that the source has interpolated.
 */
const DEFECTS: readonly (readonly [id: string, variable: number, time: string, what: string])[] = [
  ['andersen', V.pressure, '1994-08-27T08:00Z', '987, 991, 989 hPa'],
  ['andersen', V.pressure, '1994-10-03T22:00Z', '987, 990, 987 hPa'],
  ['andersen', V.pressure, '1994-10-04T06:00Z', '983, 988, 988, 985, 988 hPa'],
  ['andersen', V.pressure, '1994-10-04T07:00Z', 'of the same hours'],
  ['andersen', V.pressure, '1994-10-04T08:00Z', 'of the same hours'],
  ['andersen', V.pressure, '1994-11-11T18:00Z', '988, 991, 988 hPa'],
  ['barrow', V.humidity, '1988-02-03T14:00Z', '68, 100, 68 %'],
  ['barrow', V.pressure, '1981-10-16T00:00Z', '1016, 1019, 1016 hPa'],
  ['golden', V.humidity, '1991-06-14T09:00Z', '80, 54, 80 %; dew point 9.4, 2.8, 8.3 °C'],
  ['las-vegas', V.humidity, '2001-01-15T09:00Z', '86, 43, 79 %; dew point 1.7, -7.2, 0.6 °C'],
  ['las-vegas', V.pressure, '1997-10-06T20:00Z', '926, 930, 925 hPa'],
  ['phoenix', V.humidity, '1986-02-19T07:00Z', '61, 97, 70 %; dew point 10.0, 16.1, 10.6 °C'],
  ['st-louis', V.dewPoint, '1979-06-11T15:00Z', 'filled by interpolation'],
  ['st-louis', V.humidity, '1979-06-11T15:00Z', 'of the same row'],
];

const FOLDER = fileURLToPath(new URL('../../test/fixtures/climates', import.meta.url));

let years: readonly ClimateYear[] | undefined;

/** The typical years of all climates. They are read once for all callers, which leave their columns unchanged. */
export function climateYears(): readonly ClimateYear[] {
  years ??= CLIMATES.flatMap(([climate, ids]) =>
    ids.map((id) => {
      const series = seriesOf(join(FOLDER, `${id}.csv.gz`));
      return { id, climate, series, defects: defectsOf(id, series) };
    }),
  );
  return years;
}

function defectsOf(id: string, { times }: Series): Map<number, Set<number>> {
  const defects = new Map<number, Set<number>>();
  for (const [station, variable, time] of DEFECTS) {
    if (station !== id) continue;
    const rows = defects.get(variable) ?? new Set();
    defects.set(variable, rows.add(lowerBound(times, Date.parse(time))));
  }
  return defects;
}

/** Parses a file of observations. @param file CSV in the format of the export */
function seriesOf(file: string): Series {
  const [head = [], ...rows]: string[][] = parse(gunzipSync(readFileSync(file)));
  const columnOf = (index: number) =>
    Float64Array.from(rows, (row) => (row[index] === '' ? Number.NaN : Number(row[index])));
  return {
    times: Float64Array.from(rows, ([time]) => Date.parse(time ?? '')),
    values: new Map(
      head.slice(1).map((name, index) => [variableNamed(name)?.number ?? Number.NaN, columnOf(index + 1)]),
    ),
    flags: new Map(),
  };
}
