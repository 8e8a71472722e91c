import { columnsByHeading, type HeadingField } from './by-heading.js';
import { changedRows } from './changed-rows.js';
import type { ImportFormat } from './import-format.js';

const ATTRIBUTES = '_ATTRIBUTES';
const PRESSURE = 'STP';
/** Elements with their units and the text for an absent value. */
const ELEMENTS: Readonly<Record<string, HeadingField>> = {
  TEMP: { variable: 'daily_mean_air_temperature', unit: '°F', missing: ['9999.9'] },
  DEWP: { variable: 'daily_mean_dew_point_temperature', unit: '°F', missing: ['9999.9'] },
  SLP: { variable: 'daily_mean_air_pressure_at_mean_sea_level', unit: 'hPa', missing: ['9999.9'] },
  // 999.9 is missing.
  [PRESSURE]: { variable: 'daily_mean_surface_air_pressure', unit: 'hPa', missing: ['999.9', '9999.9'] },
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
      layout: {
        kind: 'own',
        records: (source) =>
          changedRows(
            { source, first: 2, width: headings.length },
            withThousands(headings.indexOf(PRESSURE)),
          ),
      },
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

/**
 * Returns a function that adds the thousands of the pressure at the station to a row. The file has only the last three digits before
 * the decimal point: 007.8 is 1007.8 hPa. No station has a pressure below 500 hPa.
 */
function withThousands(at: number): (fields: readonly string[]) => readonly string[] {
  return (fields) => {
    const [, digits] = /^\s*([0-4]?\d?\d\.\d)\s*$/.exec(fields[at] ?? '') ?? [];
    return digits === undefined ? fields : fields.with(at, `1${digits.padStart('000.0'.length, '0')}`);
  };
}

function reasonOf(heading: string): string | undefined {
  if (heading.endsWith(ATTRIBUTES)) return 'describes a value';
  if (/^(?:NAME|LATITUDE|LONGITUDE|ELEVATION)$/.test(heading)) return 'describes the station';
  return heading === 'FRSHTT' ? 'codes of the weather' : undefined;
}
