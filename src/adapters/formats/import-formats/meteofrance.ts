import type { FileHead } from '../files/file-head.js';
import { columnsByHeading, type HeadingField } from './by-heading.js';
import type { ImportFormat } from './import-format.js';

const FIELDS: Readonly<Record<string, HeadingField>> = {
  t: { variable: 'air_temperature', unit: 'K' },
  td: { variable: 'dew_point_temperature', unit: 'K' },
  u: { variable: 'relative_humidity', unit: '%' },
  pres: { variable: 'surface_air_pressure', unit: 'Pa' },
  pmer: { variable: 'air_pressure_at_mean_sea_level', unit: 'Pa' },
  ff: { variable: 'wind_speed', unit: 'm/s' },
  dd: { variable: 'wind_from_direction', unit: 'degree' },
  raf10: { variable: 'wind_speed_of_gust', unit: 'm/s' },
  vv: { variable: 'visibility_in_air', unit: 'm' },
  n: { variable: 'cloud_area_fraction', unit: '%' },
  ht_neige: { variable: 'surface_snow_thickness', unit: 'm' },
};
/** The amount of precipitation. A trace is written as a negative amount. */
const AMOUNT: HeadingField = {
  variable: 'precipitation_amount',
  unit: 'mm',
  traces: ['-0.1'],
};

/** SYNOP messages of Météo-France: all stations, one file for each month. Times are in UTC. */
export const meteofrance: ImportFormat = {
  name: 'meteofrance-synop',
  title: 'Météo-France, SYNOP',
  recognize(head) {
    const headings = head.fields(1, ';');
    if (headings[0] !== 'numer_sta' || headings[1] !== 'date' || !headings.includes('pmer')) return undefined;
    const amount = `rr${hoursBetweenReports(head)}`;
    return {
      routineInterval: 10_800,
      layout: { kind: 'delimited', delimiter: ';', first: 2, width: headings.length },
      station: { at: 0, heading: 'numer_sta', identifier: 'wmo' },
      time: { at: [1], headings: ['date'], formats: ['YYYYMMDDHHmmss'], zone: 'utc' },
      columns: columnsByHeading(headings, {
        fields: { ...FIELDS, [amount]: AMOUNT },
        usedFields: [0, 1],
        reasonOf: (heading) => (/^rr\d+$/.test(heading) ? `overlaps the amounts of ${amount}` : undefined),
      }),
      missing: ['mq'],
      notes: [
        `Amounts of precipitation are read from ${amount}, whose intervals follow each other without a gap.`,
      ],
    };
  },
};

/**
 * The hours between the reports of a file: 3 if all sampled reports are at hours divisible by 3, which is usual; otherwise 1. The
 * amount of precipitation is then read from the column for this number of hours, `rr3` or `rr1`.
 */
function hoursBetweenReports(head: FileHead): 1 | 3 {
  return head.samples(1, 2, ';').every((text) => Number(text.slice(8, 10)) % 3 === 0) ? 3 : 1;
}
