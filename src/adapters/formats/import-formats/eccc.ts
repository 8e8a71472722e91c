import { columnsByHeading, type HeadingField } from './by-heading.js';
import type { ImportFormat } from './import-format.js';

const FIELDS: Readonly<Record<string, HeadingField>> = {
  'Temp (°C)': { variable: 'air_temperature', unit: '°C' },
  'Dew Point Temp (°C)': { variable: 'dew_point_temperature', unit: '°C' },
  'Rel Hum (%)': { variable: 'relative_humidity', unit: '%' },
  'Precip. Amount (mm)': { variable: 'precipitation_amount', unit: 'mm' },
  // The direction is in tens of degrees: 0 is calm, 36 is north.
  'Wind Dir (10s deg)': {
    variable: 'wind_from_direction',
    unit: 'degree',
    factor: 10,
    words: { '0': Number.NaN },
  },
  'Wind Spd (km/h)': { variable: 'wind_speed', unit: 'km/h' },
  'Visibility (km)': { variable: 'visibility_in_air', unit: 'km' },
  'Stn Press (kPa)': { variable: 'surface_air_pressure', unit: 'kPa' },
};

/** Hourly climate data of Environment and Climate Change Canada. A heading says whether times are UTC or standard time all year. */
export const eccc: ImportFormat = {
  name: 'eccc',
  title: 'Environment Canada, hourly climate data',
  recognize(head) {
    const headings = head.fields(1, ',');
    const id = headings.indexOf('Climate ID');
    const time = headings.findIndex((heading) => heading.startsWith('Date/Time'));
    if (headings[0] !== 'Longitude (x)' || id === -1 || time === -1) return undefined;
    // Only hourly files have one of these headings. Daily files have the heading `Date/Time`, and their rows have no time of day.
    const zone = { 'Date/Time (UTC)': 'utc', 'Date/Time (LST)': 'station-standard' } as const;
    const heading = headings[time] ?? '';
    if (!Object.hasOwn(zone, heading)) return undefined;
    return {
      routineInterval: 3600,
      layout: { kind: 'delimited', delimiter: ',', first: 2, width: headings.length },
      station: { at: id, heading: 'Climate ID', identifier: 'climate_id' },
      time: {
        at: [time],
        headings: [heading],
        formats: ['YYYY-MM-DD HH:mm'],
        zone: zone[heading as keyof typeof zone],
      },
      columns: columnsByHeading(headings, { fields: FIELDS, usedFields: [id, time], reasonOf }),
    };
  },
};

function reasonOf(heading: string): string | undefined {
  if (heading.endsWith('Flag')) return 'M where a value is missing';
  if (/^(?:Hmdx|Wind Chill)/.test(heading)) return 'derived from other values';
  if (/^(?:Year|Month|Day|Time)/.test(heading)) return 'the same time again';
  if (/^(?:Longitude|Latitude|Station Name)/.test(heading)) return 'describes the station';
  return undefined;
}
