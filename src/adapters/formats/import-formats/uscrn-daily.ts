import { MILLISECONDS } from '#domain/time.js';
import type { ColumnPlan } from '../files/file-plan.js';
import { fixedRows } from './fixed-rows.js';
import type { ImportFormat } from './import-format.js';

/** A row: WBAN number, date, version of the program, longitude, latitude, five values, radiation, type of surface temperature. */
const ROW = /^\d{5} +\d{8} +\S+ +-?\d+\.\d+ +-?\d+\.\d+(?: +-?\d+\.\d+){6} +[RCU] +-?\d+/;
/** The headings of the fields in their order. */
const HEADINGS = `
  WBANNO LST_DATE CRX_VN LONGITUDE LATITUDE
  T_DAILY_MAX T_DAILY_MIN T_DAILY_MEAN T_DAILY_AVG P_DAILY_CALC SOLARAD_DAILY
  SUR_TEMP_DAILY_TYPE SUR_TEMP_DAILY_MAX SUR_TEMP_DAILY_MIN SUR_TEMP_DAILY_AVG
  RH_DAILY_MAX RH_DAILY_MIN RH_DAILY_AVG
  SOIL_MOISTURE_5_DAILY SOIL_MOISTURE_10_DAILY SOIL_MOISTURE_20_DAILY SOIL_MOISTURE_50_DAILY SOIL_MOISTURE_100_DAILY
  SOIL_TEMP_5_DAILY SOIL_TEMP_10_DAILY SOIL_TEMP_20_DAILY SOIL_TEMP_50_DAILY SOIL_TEMP_100_DAILY
`
  .trim()
  .split(/\s+/);
const FIELDS: Readonly<Record<string, readonly [variable: string, unit: string]>> = {
  T_DAILY_MAX: ['daily_maximum_air_temperature', '°C'],
  T_DAILY_MIN: ['daily_minimum_air_temperature', '°C'],
  // T_DAILY_AVG is the mean of the values of the day. T_DAILY_MEAN is (maximum + minimum) / 2.
  T_DAILY_AVG: ['daily_mean_air_temperature', '°C'],
  P_DAILY_CALC: ['daily_precipitation_amount', 'mm'],
  SOLARAD_DAILY: ['daily_mean_surface_downwelling_shortwave_flux_in_air', 'MJ/m²'],
  RH_DAILY_AVG: ['daily_mean_relative_humidity', '%'],
};

/** Daily files of the U.S. Climate Reference Network (`CRND0103-….txt`), without headings. The days are in standard time all year. */
export const uscrnDaily: ImportFormat = {
  name: 'uscrn-daily',
  title: 'NOAA USCRN, daily file',
  recognize(head, questions) {
    if (fixedRows(head, ROW, questions, 'uscrn-daily').length === 0) return undefined;
    return {
      layout: { kind: 'blanks', first: 1, width: HEADINGS.length },
      station: { at: 0, heading: 'WBANNO', identifier: 'wban' },
      time: {
        at: [1],
        headings: ['LST_DATE'],
        formats: ['YYYYMMDD'],
        zone: 'station-standard',
        interval: MILLISECONDS.day / MILLISECONDS.second,
      },
      columns: HEADINGS.flatMap((heading, at): ColumnPlan[] => {
        if (at < 2) return [];
        const [variable, unit = ''] = FIELDS[heading] ?? [];
        if (variable === undefined) return [{ kind: 'left out', at, heading, reason: reasonOf(heading) }];
        return [{ kind: 'value', at, heading, variable, unit }];
      }),
      missing: ['-9999', '-99'],
      notes: ['Days are those of standard time all year. Each row is stored at the end of its day.'],
    };
  },
};

function reasonOf(heading: string): string {
  if (/DAILY/.test(heading))
    return heading === 'T_DAILY_MEAN' ? 'computed from the extremes' : 'a value of a whole day';
  return 'describes the station';
}
