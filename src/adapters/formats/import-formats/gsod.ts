import { columnsByHeading, type HeadingField } from './by-heading.js';
import type { ImportFormat } from './import-format.js';

const ATTRIBUTES = '_ATTRIBUTES';
/** Elements with their units and the text for an absent value. */
const ELEMENTS: Readonly<Record<string, HeadingField>> = {
  TEMP: { variable: 'daily_mean_air_temperature', unit: '°F', missing: ['9999.9'] },
  DEWP: { variable: 'daily_mean_dew_point_temperature', unit: '°F', missing: ['9999.9'] },
  SLP: { variable: 'daily_mean_air_pressure_at_mean_sea_level', unit: 'hPa', missing: ['9999.9'] },
  VISIB: { variable: 'daily_mean_visibility_in_air', unit: 'mi', missing: ['999.9'] },
  WDSP: { variable: 'daily_mean_wind_speed', unit: 'kt', missing: ['999.9'] },
  // The highest of the wind speeds that were reported.
  MXSPD: { variable: 'daily_maximum_wind_speed', unit: 'kt', missing: ['999.9'] },
  GUST: { variable: 'daily_maximum_wind_speed_of_gust', unit: 'kt', missing: ['999.9'] },
  MAX: { variable: 'daily_maximum_air_temperature', unit: '°F', missing: ['9999.9'] },
  MIN: { variable: 'daily_minimum_air_temperature', unit: '°F', missing: ['9999.9'] },
  PRCP: { variable: 'daily_precipitation_amount', unit: 'in', missing: ['99.99'] },
  SNDP: { variable: 'daily_surface_snow_thickness', unit: 'in', missing: ['999.9'] },
};
/**
 * Attributes of amounts of a whole day: D is the sum of four reports of 6 hours, F the sum of two reports of 12 hours, and G a
 * report of 24 hours. A, B, C and E are amounts of a part of the day. H means zeros beside observed precipitation, and I that no
 * amount was reported.
 */
const WHOLE_DAY = ['D', 'F', 'G'];

/** Global Surface Summary of the Day of NOAA. NOAA computes the days from reports of 00:00 to 23:59 UTC. */
export const gsod: ImportFormat = {
  name: 'gsod',
  title: 'NOAA Global Surface Summary of the Day (GSOD)',
  recognize(head) {
    const headings = head.fields(1, ',');
    const [station, date] = [headings.indexOf('STATION'), headings.indexOf('DATE')];
    const isKnown = ['TEMP', `TEMP${ATTRIBUTES}`, 'FRSHTT'].every((name) => headings.includes(name));
    if (station === -1 || date === -1 || !isKnown) return undefined;
    const fields = Object.entries(ELEMENTS).map(([element, field]): [string, HeadingField] => {
      const at = headings.indexOf(element + ATTRIBUTES);
      const when = { at, texts: WHOLE_DAY };
      if (at === -1) return [element, field];
      return [element, { ...field, flags: [at], ...(element === 'PRCP' && { when }) }];
    });
    return {
      layout: { kind: 'delimited', delimiter: ',', first: 2, width: headings.length },
      station: { at: station, heading: 'STATION', identifier: 'usaf_wban' },
      time: { at: [date], headings: ['DATE'], formats: ['YYYY-MM-DD'], zone: 'utc', days: 'all' },
      columns: columnsByHeading(headings, {
        fields: Object.fromEntries(fields),
        usedFields: [station, date],
        reasonOf,
      }),
      notes: [
        'Days are those of UTC. Each row is stored at the end of its date in UTC. Extremes may be of another day of 24 hours, as the country reports them.',
        'Precipitation is read only if it is of the whole day (attributes D, F and G), because other amounts are of a part of the day.',
      ],
    };
  },
};

function reasonOf(heading: string): string | undefined {
  if (heading.endsWith(ATTRIBUTES)) return 'describes a value';
  if (heading === 'STP') return 'has no thousands: 12.3 is 1012.3 hPa, and 999.9 is missing';
  if (/^(?:NAME|LATITUDE|LONGITUDE|ELEVATION)$/.test(heading)) return 'describes the station';
  return heading === 'FRSHTT' ? 'codes of the weather' : undefined;
}
