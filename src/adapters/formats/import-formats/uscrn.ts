import type { ColumnPlan } from '../files/file-plan.js';
import { fixedRows } from './fixed-rows.js';
import type { ImportFormat } from './import-format.js';

/** Start of a row: WBAN number, UTC date and time, local date and time, version of the program, longitude, latitude. */
const ROW = /^\d{5} +\d{8} +\d{4} +\d{8} +\d{4} +\S+ +-?\d+\.\d+ +-?\d+\.\d+ /;
const START = 'WBANNO UTC_DATE UTC_TIME LST_DATE LST_TIME CRX_VN LONGITUDE LATITUDE';
/** The headings of the fields in their order, by the number of fields. The files have no headings. */
const PRODUCTS = [
  {
    title: 'NOAA USCRN, hourly file',
    interval: 3600,
    headings: headingsOf(`T_CALC T_HR_AVG T_MAX T_MIN P_CALC
      SOLARAD SOLARAD_FLAG SOLARAD_MAX SOLARAD_MAX_FLAG SOLARAD_MIN SOLARAD_MIN_FLAG
      SUR_TEMP_TYPE SUR_TEMP SUR_TEMP_FLAG SUR_TEMP_MAX SUR_TEMP_MAX_FLAG SUR_TEMP_MIN SUR_TEMP_MIN_FLAG
      RH_HR_AVG RH_HR_AVG_FLAG
      SOIL_MOISTURE_5 SOIL_MOISTURE_10 SOIL_MOISTURE_20 SOIL_MOISTURE_50 SOIL_MOISTURE_100
      SOIL_TEMP_5 SOIL_TEMP_10 SOIL_TEMP_20 SOIL_TEMP_50 SOIL_TEMP_100`),
  },
  {
    title: 'NOAA USCRN, five-minute file',
    interval: 300,
    headings: headingsOf(`AIR_TEMPERATURE PRECIPITATION SOLAR_RADIATION SR_FLAG
      SURFACE_TEMPERATURE ST_TYPE ST_FLAG RELATIVE_HUMIDITY RH_FLAG
      SOIL_MOISTURE_5 SOIL_TEMPERATURE_5 WETNESS WET_FLAG WIND_1_5 WIND_FLAG`),
  },
];
/** Fields that are read. T_CALC is the mean of the last five minutes of the hour. A flag of 3 marks an erroneous value. */
const FIELDS: Readonly<Record<string, readonly [variable: string, unit: string, flag?: string]>> = {
  T_CALC: ['air_temperature', '°C'],
  P_CALC: ['precipitation_amount', 'mm'],
  SOLARAD: ['surface_downwelling_shortwave_flux_in_air', 'W/m²', 'SOLARAD_FLAG'],
  RH_HR_AVG: ['relative_humidity', '%', 'RH_HR_AVG_FLAG'],
  AIR_TEMPERATURE: ['air_temperature', '°C'],
  PRECIPITATION: ['precipitation_amount', 'mm'],
  SOLAR_RADIATION: ['surface_downwelling_shortwave_flux_in_air', 'W/m²', 'SR_FLAG'],
  RELATIVE_HUMIDITY: ['relative_humidity', '%', 'RH_FLAG'],
};
const ERRONEOUS = ['3'];

/**
 * Hourly and five-minute files of the U.S. Climate Reference Network (`CRNH0203-….txt`, `CRNS0101-….txt`). Times are at the end of
 * the interval.
 */
export const uscrn: ImportFormat = {
  name: 'uscrn',
  title: 'NOAA USCRN, hourly or five-minute file',
  recognize(head, questions) {
    const [row] = fixedRows(head, ROW, questions, 'uscrn');
    const width = row?.trim().split(/\s+/).length;
    const product = PRODUCTS.find(({ headings }) => headings.length === width);
    if (product === undefined) return undefined;
    const { title, interval, headings } = product;
    return {
      title,
      routineInterval: interval,
      layout: { kind: 'blanks', first: 1, width: headings.length },
      station: { at: 0, heading: 'WBANNO', identifier: 'wban' },
      time: { at: [1, 2], headings: ['UTC_DATE', 'UTC_TIME'], formats: ['YYYYMMDD HHmm'], zone: 'utc' },
      columns: headings.flatMap((heading, at): ColumnPlan[] => {
        if (at < 3) return [];
        const [variable, unit = '', flag] = FIELDS[heading] ?? [];
        if (variable === undefined) return [{ kind: 'left out', at, heading, reason: reasonOf(heading) }];
        const when = flag === undefined ? undefined : { at: headings.indexOf(flag), not: ERRONEOUS };
        return [{ kind: 'value', at, heading, variable, unit, ...(when !== undefined && { when }) }];
      }),
      missing: ['-9999', '-99'],
      notes: ['Values that are erroneous according to NOAA (flag 3) are left out.'],
    };
  },
};

function headingsOf(text: string): readonly string[] {
  return `${START} ${text}`.split(/\s+/);
}

function reasonOf(heading: string): string {
  if (/_FLAG$|_TYPE$/.test(heading)) return 'describes a value';
  if (/_MAX|_MIN/.test(heading)) return 'an extreme of the interval';
  if (heading === 'T_HR_AVG') return 'another column of air_temperature';
  if (heading === 'WIND_1_5') return 'measured at 1.5 m';
  if (/^SUR|^SOIL|^WET/.test(heading)) return 'the service has no such variable';
  return heading.startsWith('LST') ? 'the same time again' : 'describes the station';
}
