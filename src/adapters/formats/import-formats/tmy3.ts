import { columnsByHeading, type HeadingField } from './by-heading.js';
import type { ImportFormat } from './import-format.js';

const FIELDS: Readonly<Record<string, HeadingField>> = {
  'GHI (W/m^2)': { variable: 'surface_downwelling_shortwave_flux_in_air', unit: 'W/m²' },
  'TotCld (tenths)': { variable: 'cloud_area_fraction', unit: '%', factor: 10 },
  'Dry-bulb (C)': { variable: 'air_temperature', unit: '°C' },
  'Dew-point (C)': { variable: 'dew_point_temperature', unit: '°C' },
  'RHum (%)': { variable: 'relative_humidity', unit: '%' },
  'Pressure (mbar)': { variable: 'surface_air_pressure', unit: 'mbar' },
  'Wdir (degrees)': { variable: 'wind_from_direction', unit: 'degree' },
  'Wspd (m/s)': { variable: 'wind_speed', unit: 'm/s' },
  // 77777 means that nothing limits the visibility.
  'Hvis (m)': { variable: 'visibility_in_air', unit: 'm', missing: ['77777', '99999'] },
};
const RAIN = 'Lprecip depth (mm)';
const HOURS = 'Lprecip quantity (hr)';

/**
 * TMY3, the typical meteorological years of the U.S. National Solar Radiation Data Base. The first line describes the station,
 * with its standard time in hours from UTC. Times are at the end of the hour, from 01:00 to 24:00.
 */
export const tmy3: ImportFormat = {
  name: 'tmy3',
  title: 'NREL TMY3, typical meteorological year',
  recognize(head) {
    const headings = head.fields(2, ',');
    if (headings[0] !== 'Date (MM/DD/YYYY)' || headings[1] !== 'Time (HH:MM)') return undefined;
    const hours = Number(head.fields(1, ',')[3]);
    if (!headings.includes('GHI (W/m^2)') || !(Math.abs(hours) <= 14)) return undefined;
    const rain = {
      variable: 'precipitation_amount',
      unit: 'mm',
      when: { at: headings.indexOf(HOURS), texts: ['1'] },
    };
    return {
      routineInterval: 3600,
      layout: { kind: 'delimited', delimiter: ',', first: 3, width: headings.length },
      time: {
        at: [0, 1],
        headings: ['Date (MM/DD/YYYY)', 'Time (HH:MM)'],
        formats: ['MM/DD/YYYY HH:mm'],
        zone: { offset: hours * 60 },
      },
      columns: columnsByHeading(headings, {
        fields: { ...FIELDS, [RAIN]: rain },
        usedFields: [0, 1],
        reasonOf: (heading) => {
          if (/ source$| uncert /.test(heading)) return 'describes a value';
          return heading === HOURS ? 'the period of the precipitation' : undefined;
        },
      }),
      missing: ['-9900'],
      notes: [
        'The months of a typical year are of different years, and its radiation is mostly from a model.',
      ],
    };
  },
};
