import type { ColumnPlan } from '../files/file-plan.js';
import { fixedRows } from './fixed-rows.js';
import type { ImportFormat } from './import-format.js';

const ROW = /^\d{4}-\d\d-\d\d,\d{1,2}(?:,-?\d*(?:\.\d+)?){11}\s*$/;

const COLUMNS: readonly ColumnPlan[] = [
  value(2, 'temp', 'air_temperature', '°C'),
  value(3, 'dwpt', 'dew_point_temperature', '°C'),
  value(4, 'rhum', 'relative_humidity', '%'),
  value(5, 'prcp', 'precipitation_amount', 'mm'),
  value(6, 'snow', 'surface_snow_thickness', 'mm'),
  value(7, 'wdir', 'wind_from_direction', 'degree'),
  value(8, 'wspd', 'wind_speed', 'km/h'),
  value(9, 'wpgt', 'wind_speed_of_gust', 'km/h'),
  value(10, 'pres', 'air_pressure_at_mean_sea_level', 'hPa'),
  value(11, 'tsun', 'duration_of_sunshine', 'min'),
  { kind: 'left out', at: 12, heading: 'coco', reason: 'a code' },
];

/** Hourly bulk files of Meteostat: 13 columns without headings. Times are in UTC. */
export const meteostat: ImportFormat = {
  name: 'meteostat',
  title: 'Meteostat, hourly bulk data',
  recognize(head, questions) {
    if (fixedRows(head, ROW, questions, 'meteostat').length === 0) return undefined;
    return {
      routineInterval: 3600,
      layout: { kind: 'delimited', delimiter: ',', first: 1, width: 13 },
      time: { at: [0, 1], headings: ['date', 'hour'], formats: ['YYYY-MM-DD H'], zone: 'utc' },
      columns: COLUMNS,
    };
  },
};

function value(at: number, heading: string, variable: string, unit: string): ColumnPlan {
  return { kind: 'value', at, heading, variable, unit };
}
