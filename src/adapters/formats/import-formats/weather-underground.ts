import type { ColumnPlan } from '../files/file-plan.js';
import type { ImportFormat } from './import-format.js';

/** Suffixes of headings with their units. */
const UNITS: Readonly<Record<string, string>> = {
  F: '°F',
  C: '°C',
  '%': '%',
  mph: 'mph',
  kmh: 'km/h',
  ms: 'm/s',
  in: 'in',
  hPa: 'hPa',
  mm: 'mm',
  'w/m2': 'W/m²',
};
const VARIABLES: Readonly<Record<string, string>> = {
  Temperature: 'air_temperature',
  Dew_Point: 'dew_point_temperature',
  Humidity: 'relative_humidity',
  Speed: 'wind_speed',
  Gust: 'wind_speed_of_gust',
  Pressure: 'air_pressure_at_mean_sea_level',
  Precip_Rate: 'rainfall_rate',
  Solar: 'surface_downwelling_shortwave_flux_in_air',
};

/** Directions that are written as words, not as letters such as `NNE`, with their degrees; NaN if the wind has no direction. */
const WORDS = { North: 360, East: 90, South: 180, West: 270, Variable: Number.NaN, Calm: Number.NaN };

/** Tables from the pages of Weather Underground, saved by scrapers: `Date;Time;Temperature_F;…`. Times are local. */
export const weatherUnderground: ImportFormat = {
  name: 'weather-underground-table',
  title: 'Weather Underground, table of a station',
  recognize(head) {
    const headings = head.fields(1, ';');
    if (headings[0] !== 'Date' || headings[1] !== 'Time' || !/^Temperature_[CF]$/.test(headings[2] ?? ''))
      return undefined;
    return {
      layout: { kind: 'delimited', delimiter: ';', first: 2, width: headings.length },
      time: { at: [0, 1], headings: ['Date', 'Time'], formats: ['MM/DD/YYYY h:mm A'], zone: 'station' },
      columns: headings.flatMap((heading, at) => (at < 2 ? [] : [columnOf(heading, at)])),
      missing: ['NA', '--'],
    };
  },
};

function columnOf(heading: string, at: number): ColumnPlan {
  const [, name = '', ending = ''] = /^(.+)_([^_]+)$/.exec(heading) ?? [];
  if (heading === 'Wind') {
    return { kind: 'value', at, heading, variable: 'wind_from_direction', unit: 'degree', words: WORDS };
  }
  if (heading === 'UV') return { kind: 'value', at, heading, variable: 'ultraviolet_index', unit: '1' };
  const variable = VARIABLES[name];
  const unit = Object.hasOwn(UNITS, ending) ? UNITS[ending] : undefined;
  if (name === 'Precip_Accum' && unit !== undefined) {
    return { kind: 'counter', at, heading, variable: 'precipitation_amount', unit, resets: 'day' };
  }
  if (variable === undefined)
    return { kind: 'left out', at, heading, reason: 'the service has no such variable' };
  if (unit === undefined) return { kind: 'left out', at, heading, reason: 'its unit is unknown' };
  if (variable === 'air_pressure_at_mean_sea_level' && unit === 'in')
    return { kind: 'value', at, heading, variable, unit: 'inHg' };
  return { kind: 'value', at, heading, variable, unit: variable === 'rainfall_rate' ? `${unit}/h` : unit };
}
