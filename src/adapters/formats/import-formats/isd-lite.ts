import type { ColumnPlan } from '../files/file-plan.js';
import { fixedRows } from './fixed-rows.js';
import type { ImportFormat } from './import-format.js';

/** A row: date, hour and eight integers, separated by blanks. */
const ROW = /^\d{4} +\d{1,2} +\d{1,2} +\d{1,2}(?: +-?\d+){8}\s*$/;

const COLUMNS: readonly ColumnPlan[] = [
  tenths(4, 'air temperature', 'air_temperature', '°C'),
  tenths(5, 'dew point temperature', 'dew_point_temperature', '°C'),
  tenths(6, 'sea level pressure', 'air_pressure_at_mean_sea_level', 'hPa'),
  { kind: 'value', at: 7, heading: 'wind direction', variable: 'wind_from_direction', unit: 'degree' },
  tenths(8, 'wind speed', 'wind_speed', 'm/s'),
  { kind: 'left out', at: 9, heading: 'sky condition', reason: 'a code' },
  { ...tenths(10, 'precipitation, 1 h', 'precipitation_amount', 'mm'), traces: ['-1'] },
  { kind: 'left out', at: 11, heading: 'precipitation, 6 h', reason: 'contains the amounts of single hours' },
];

/** ISD-Lite of NOAA: hourly values of one station in one year, without headings, in tenths. Times are in UTC. */
export const isdLite: ImportFormat = {
  name: 'isd-lite',
  title: 'NOAA ISD-Lite',
  recognize(head, questions) {
    if (fixedRows(head, ROW, questions, 'isd-lite').length === 0) return undefined;
    return {
      routineInterval: 3600,
      layout: { kind: 'blanks', first: 1, width: 12 },
      time: {
        at: [0, 1, 2, 3],
        headings: ['year', 'month', 'day', 'hour'],
        formats: ['YYYY M D H'],
        zone: 'utc',
      },
      columns: COLUMNS,
      missing: ['-9999'],
    };
  },
};

function tenths(at: number, heading: string, variable: string, unit: string) {
  return { kind: 'value', at, heading, variable, unit, factor: 0.1 } as const;
}
