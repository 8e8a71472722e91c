import { traceVariableOf, variableNamed } from '#domain/weather/variables.js';
import type { FileHead } from '../files/file-head.js';
import type { ColumnPlan, FailedCheck } from '../files/file-plan.js';
import { likelyPressureUnit } from './likely-units.js';
import type { ImportFormat } from './import-format.js';

interface Field {
  readonly variable: string;
  /** The unit in files of version 2, which are metric, and in files of version 1. */
  readonly units: readonly [metric: string, us: string];
}

const FIELDS: Readonly<Record<string, Field>> = {
  HourlyDryBulbTemperature: { variable: 'air_temperature', units: ['°C', '°F'] },
  HourlyDewPointTemperature: { variable: 'dew_point_temperature', units: ['°C', '°F'] },
  HourlyRelativeHumidity: { variable: 'relative_humidity', units: ['%', '%'] },
  HourlyStationPressure: { variable: 'surface_air_pressure', units: ['hPa', 'inHg'] },
  HourlySeaLevelPressure: { variable: 'air_pressure_at_mean_sea_level', units: ['hPa', 'inHg'] },
  HourlyWindSpeed: { variable: 'wind_speed', units: ['m/s', 'mph'] },
  HourlyWindDirection: { variable: 'wind_from_direction', units: ['degree', 'degree'] },
  HourlyWindGustSpeed: { variable: 'wind_speed_of_gust', units: ['m/s', 'mph'] },
  HourlyPrecipitation: { variable: 'precipitation_amount', units: ['mm', 'in'] },
  HourlyVisibility: { variable: 'visibility_in_air', units: ['km', 'mi'] },
  DailyMaximumDryBulbTemperature: { variable: 'daily_maximum_air_temperature', units: ['°C', '°F'] },
  DailyMinimumDryBulbTemperature: { variable: 'daily_minimum_air_temperature', units: ['°C', '°F'] },
  DailyPrecipitation: { variable: 'daily_precipitation_amount', units: ['mm', 'in'] },
  DailySnowfall: { variable: 'daily_thickness_of_snowfall_amount', units: ['mm', 'in'] },
  DailySnowDepth: { variable: 'daily_surface_snow_thickness', units: ['mm', 'in'] },
  DailyPeakWindSpeed: { variable: 'daily_maximum_wind_speed_of_gust', units: ['m/s', 'mph'] },
  // The fastest two minutes.
  DailySustainedWindSpeed: { variable: 'daily_maximum_wind_speed', units: ['m/s', 'mph'] },
  DailyAverageWindSpeed: { variable: 'daily_mean_wind_speed', units: ['m/s', 'mph'] },
  DailyAverageDewPointTemperature: { variable: 'daily_mean_dew_point_temperature', units: ['°C', '°F'] },
  DailyAverageRelativeHumidity: { variable: 'daily_mean_relative_humidity', units: ['%', '%'] },
  DailyAverageStationPressure: { variable: 'daily_mean_surface_air_pressure', units: ['hPa', 'inHg'] },
  DailyAverageSeaLevelPressure: {
    variable: 'daily_mean_air_pressure_at_mean_sea_level',
    units: ['hPa', 'inHg'],
  },
};

/**
 * Columns of the files of 2017 and before, whose names are in capitals. Temperatures of reports are in two columns, one for each
 * unit; the one in degrees Celsius has tenths. All other columns have the units of version 1.
 */
const OLDER_FIELDS: Readonly<Record<string, Field>> = {
  HOURLYDRYBULBTEMPC: { variable: 'air_temperature', units: ['°C', '°C'] },
  HOURLYDewPointTempC: { variable: 'dew_point_temperature', units: ['°C', '°C'] },
  ...renamed({
    HOURLYRelativeHumidity: 'HourlyRelativeHumidity',
    HOURLYStationPressure: 'HourlyStationPressure',
    HOURLYSeaLevelPressure: 'HourlySeaLevelPressure',
    HOURLYWindSpeed: 'HourlyWindSpeed',
    HOURLYWindDirection: 'HourlyWindDirection',
    HOURLYWindGustSpeed: 'HourlyWindGustSpeed',
    HOURLYPrecip: 'HourlyPrecipitation',
    HOURLYVISIBILITY: 'HourlyVisibility',
    DAILYMaximumDryBulbTemp: 'DailyMaximumDryBulbTemperature',
    DAILYMinimumDryBulbTemp: 'DailyMinimumDryBulbTemperature',
    DAILYPrecip: 'DailyPrecipitation',
    DAILYSnowfall: 'DailySnowfall',
    DAILYSnowDepth: 'DailySnowDepth',
    DAILYPeakWindSpeed: 'DailyPeakWindSpeed',
    DAILYSustainedWindSpeed: 'DailySustainedWindSpeed',
    DAILYAverageWindSpeed: 'DailyAverageWindSpeed',
    DAILYAverageDewPointTemp: 'DailyAverageDewPointTemperature',
    DAILYAverageRelativeHumidity: 'DailyAverageRelativeHumidity',
    DAILYAverageStationPressure: 'DailyAverageStationPressure',
    DAILYAverageSeaLevelPressure: 'DailyAverageSeaLevelPressure',
  }),
};

/** Marks after a value: suspect (`s`), estimated (`*`), and variable visibility (`V`). */
const FLAGS = ['s', '*', 'V', 'Vs'];
const WORDS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  wind_from_direction: { VRB: Number.NaN },
};
const TRACES = ['T', 'Ts'];
/** Whether a value of a day is suspect. Suspect values of reports are stored without a mark, because the service checks them. */
const SUSPECT = /s$/;
/**
 * Types of routine reports, which are made at a fixed minute of the hour. Amounts of precipitation are read only from routine
 * reports. Special and synoptic reports repeat parts of the precipitation of the hour, which would then be counted twice.
 */
const ROUTINE = ['FM-15'];
/** Types of rows that describe a whole day. The timestamp of such a row is the first or the last minute of the day. */
const WHOLE_DAY = ['SOD'];

/** Local Climatological Data of NOAA: the reports of an airport, with rows of days and months between them. */
export const noaaLcd: ImportFormat = {
  name: 'noaa-lcd',
  title: 'NOAA Local Climatological Data',
  recognize(head) {
    const headings = head.fields(1, ',');
    // The older files have this spelling.
    const type = headings.findIndex((heading) => /^REPORT(?:_TYPE|TPYE|TYPE)$/.test(heading));
    const isOlder = headings.includes('HOURLYDRYBULBTEMPC');
    const date = headings.indexOf('DATE');
    if (headings[0] !== 'STATION' || date === -1 || type === -1) return undefined;
    if (!isOlder && !headings.includes('HourlyDryBulbTemperature')) return undefined;
    // Of the newer files, only those of version 2 have the coordinates of the station, and their ids begin with a country.
    const isMetric = isOlder ? isMetricOlder(head, headings) : headings.includes('LATITUDE');
    const version = isOlder ? 'before 2018' : `version ${isMetric ? 2 : 1}`;
    const fields = isOlder ? OLDER_FIELDS : FIELDS;
    return {
      title: `NOAA Local Climatological Data, ${version} (${isMetric ? 'metric' : 'US'} units)`,
      routineInterval: 3600,
      layout: { kind: 'delimited', delimiter: ',', first: 2, width: headings.length },
      station: {
        at: 0,
        heading: 'STATION',
        ...(isOlder
          ? { identifier: 'wban', rename: (text) => text.replace(/^WBAN:/, '') }
          : { identifier: isMetric ? 'ghcn' : 'usaf_wban' }),
      },
      time: {
        at: [date],
        headings: ['DATE'],
        formats: isOlder ? ['iso', 'YYYY-MM-DDTHH:mm:ss'] : ['YYYY-MM-DDTHH:mm:ss'],
        zone: 'station-standard',
        interval: 0,
        days: { at: type, texts: WHOLE_DAY },
      },
      rows: [
        {
          at: type,
          keep: ['FM-12', 'FM-15', 'FM-16', 'SY-MT', 'SAO', 'SAOSP', ...WHOLE_DAY],
          reason: 'summaries of months',
        },
      ],
      columns: headings.flatMap((heading, at): ColumnPlan[] => {
        if (at === 0 || at === date || at === type) return [];
        const field = Object.hasOwn(fields, heading) ? fields[heading] : undefined;
        if (field === undefined) return [{ kind: 'left out', at, heading, reason: reasonOf(heading) }];
        const { variable, units } = field;
        const words = WORDS[variable];
        const isAmount = variable === 'precipitation_amount';
        const { number = 0, period } = variableNamed(variable) ?? {};
        return [
          {
            kind: 'value',
            at,
            heading,
            variable,
            unit: units[isMetric ? 0 : 1],
            missing: ['*'],
            endings: FLAGS,
            ...(words !== undefined && { words }),
            ...(traceVariableOf(number) !== undefined && { traces: TRACES }),
            ...(period === 'day' && { failed: suspectAt(at) }),
            ...(isAmount && { when: { at: type, texts: ROUTINE } }),
          },
        ];
      }),
      notes: [
        'Rows of a day (SOD) have daily values, which are stored at the end of the day. The daily mean is left out, because it is computed from the extremes.',
        'Amounts of precipitation are read from routine reports (FM-15), because other reports repeat parts of them.',
      ],
    };
  },
};

function suspectAt(at: number): FailedCheck {
  return {
    when: { at, matches: SUSPECT, text: 'marked as suspect' },
    reason: 'failed a check of NOAA: suspect (s)',
  };
}

/** The fields of version 1 and 2 under other headings. @param names the heading in `FIELDS`, by the other heading */
function renamed(names: Readonly<Record<string, string>>): Record<string, Field> {
  return Object.fromEntries(
    Object.entries(names).flatMap(([name, heading]) => {
      const field = FIELDS[heading];
      return field === undefined ? [] : [[name, field] as const];
    }),
  );
}

/** Whether an older file was ordered in metric units. The pressures at the station show it. */
function isMetricOlder(head: FileHead, headings: readonly string[]): boolean {
  const pressures = head.samples(headings.indexOf('HOURLYStationPressure'), 2, ',');
  return likelyPressureUnit(pressures) === 'hPa';
}

function reasonOf(heading: string): string {
  if (/^DailyAverageDryBulbTemperature$|^DAILYAverageDryBulbTemp$/.test(heading))
    return 'computed from the extremes';
  if (heading === 'HOURLYDRYBULBTEMPF' || heading === 'HOURLYDewPointTempF') return 'the same in °F';
  if (/^(?:Daily|Monthly|Normals|ShortDuration|Sunrise|Sunset)/i.test(heading)) return 'of a day or a month';
  if (/^(?:Backup|STATION_NAME|ELEVATION|LATITUDE|LONGITUDE|NAME)/.test(heading))
    return 'describes the station';
  return 'the service has no such variable';
}
