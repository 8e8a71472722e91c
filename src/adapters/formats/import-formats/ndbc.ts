import { columnsByHeading, type HeadingField } from './by-heading.js';
import type { ImportFormat } from './import-format.js';

/** Values of nines mean that a value is absent. Their number of digits depends on the column. */
const FIELDS: Readonly<Record<string, HeadingField>> = {
  WDIR: { variable: 'wind_from_direction', unit: 'degree' },
  WD: { variable: 'wind_from_direction', unit: 'degree' },
  WSPD: { variable: 'wind_speed', unit: 'm/s', missing: ['99'] },
  GST: { variable: 'wind_speed_of_gust', unit: 'm/s', missing: ['99'] },
  PRES: { variable: 'air_pressure_at_mean_sea_level', unit: 'hPa', missing: ['9999'] },
  BAR: { variable: 'air_pressure_at_mean_sea_level', unit: 'hPa', missing: ['9999'] },
  ATMP: { variable: 'air_temperature', unit: '°C', missing: ['999', '99'] },
  DEWP: { variable: 'dew_point_temperature', unit: '°C', missing: ['999', '99'] },
  VIS: { variable: 'visibility_in_air', unit: 'nmi', missing: ['99'] },
};
const TIMES = new Set(['YYYY', 'YY', 'MM', 'DD', 'hh', 'mm']);

/**
 * Standard meteorological data of the National Data Buoy Center: fields separated by blanks. Since 2007 the headings begin with
 * `#` and a line of units follows; before 2005 the time has no minutes, and before 1999 years have two digits. Times are in UTC.
 */
export const ndbc: ImportFormat = {
  name: 'ndbc',
  title: 'NOAA NDBC, standard meteorological data',
  recognize(head) {
    const [first = '', second = '', third = ''] = head.lines;
    if (!/^#?YY(?:YY)?\s+MM\s+DD\s+hh\s+(?:mm\s+)?WD(?:IR)?\s+WSPD\s/.test(first)) return undefined;
    const headings = first.replace('#', '').trim().split(/\s+/);
    const times = headings.filter((heading) => TIMES.has(heading));
    const row = second.startsWith('#') ? third : second;
    const year = /^\s*\d{4}\s/.test(row) ? 'YYYY' : 'YY';
    return {
      layout: { kind: 'blanks', first: second.startsWith('#') ? 3 : 2, width: headings.length },
      time: {
        at: times.map((_, at) => at),
        headings: times,
        formats: [`${year} MM DD HH${times.includes('mm') ? ' mm' : ''}`],
        zone: 'utc',
      },
      columns: columnsByHeading(headings, {
        fields: FIELDS,
        usedFields: times.map((_, at) => at),
        reasonOf: (heading) => (heading === 'PTDY' ? 'a change of the pressure' : undefined),
      }),
      missing: ['MM'],
    };
  },
};
