import { columnsByHeading, headingsBelow, type HeadingField, OKTA } from './by-heading.js';
import type { ImportFormat } from './import-format.js';

/** Elements by their codes. Values are whole numbers, most of them in tenths. */
const ELEMENTS: Readonly<Record<string, HeadingField>> = {
  TX: { variable: 'daily_maximum_air_temperature', unit: '°C', factor: 0.1 },
  TN: { variable: 'daily_minimum_air_temperature', unit: '°C', factor: 0.1 },
  TG: { variable: 'daily_mean_air_temperature', unit: '°C', factor: 0.1 },
  RR: { variable: 'daily_precipitation_amount', unit: 'mm', factor: 0.1 },
  PP: { variable: 'daily_mean_air_pressure_at_mean_sea_level', unit: 'hPa', factor: 0.1 },
  CC: { variable: 'daily_mean_cloud_area_fraction', unit: '%', factor: OKTA },
  HU: { variable: 'daily_mean_relative_humidity', unit: '%' },
  SD: { variable: 'daily_surface_snow_thickness', unit: 'cm' },
  SS: { variable: 'daily_duration_of_sunshine', unit: 'h', factor: 0.1 },
  QQ: { variable: 'daily_mean_surface_downwelling_shortwave_flux_in_air', unit: 'W/m²' },
  FG: { variable: 'daily_mean_wind_speed', unit: 'm/s', factor: 0.1 },
  FX: { variable: 'daily_maximum_wind_speed_of_gust', unit: 'm/s', factor: 0.1 },
  DD: { variable: 'daily_mean_wind_from_direction', unit: 'degree' },
};
const QUALITY = 'Q_';
/** The quality code of a missing value. */
const MISSING = '9';

/**
 * Files of the European Climate Assessment & Dataset, blended or not: `TX_STAID000001.txt`. A preamble is followed by a table with
 * an element and its quality code.
 */
export const ecad: ImportFormat = {
  name: 'ecad',
  title: 'European Climate Assessment & Dataset (ECA&D)',
  recognize(head) {
    const table = headingsBelow(head, ['SOUID', 'DATE']);
    if (table === undefined) return undefined;
    const { line, headings } = table;
    if (!headings.some((heading) => headings.includes(QUALITY + heading))) return undefined;
    const [quality = -1, ...others] = headings.flatMap((heading, at) =>
      heading.startsWith(QUALITY) ? [at] : [],
    );
    const [station, date] = [headings.indexOf('STAID'), headings.indexOf('DATE')];
    return {
      layout: { kind: 'delimited', delimiter: ',', first: line + 1, width: headings.length },
      ...(station !== -1 && { station: { at: station, heading: 'STAID', identifier: 'ecad' } }),
      time: {
        at: [date],
        headings: ['DATE'],
        formats: ['YYYYMMDD'],
        zone: 'station-standard',
        days: 'all',
      },
      columns: columnsByHeading(headings, {
        fields: Object.fromEntries(
          Object.entries(ELEMENTS).map(([element, field]) => {
            const at = headings.indexOf(QUALITY + element);
            return [element, at === -1 ? field : { ...field, ...qualityAt(at) }];
          }),
        ),
        usedFields: [station, date],
        reasonOf: (heading) => {
          if (heading.startsWith(QUALITY)) return 'describes the quality';
          return heading === 'SOUID' ? 'describes the source' : undefined;
        },
      }),
      missing: ['-9999'],
      // A file of one element has a row for each missing value.
      ...(others.length === 0 && { rows: [{ at: quality, drop: [MISSING], reason: 'without a value' }] }),
      notes: [
        'Each value is stored at the end of the date to which the archive assigns it, in standard time. The hours at which a day begins differ between countries and elements.',
      ],
    };
  },
};

/** The quality code of a value: 0 is valid, 1 is suspect and 9 is missing. */
function qualityAt(at: number): Pick<HeadingField, 'flags' | 'failed'> {
  const reason = 'failed a check of ECA&D: suspect (quality code 1)';
  return { flags: [at], failed: { when: { at, texts: ['1'] }, reason } };
}
