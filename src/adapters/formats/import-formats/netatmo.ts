import { SECONDS_OF_DAY as DAY } from '#domain/weather/stations/station-ranges.js';
import { columnsByHeading, type HeadingField } from './by-heading.js';
import type { FileHead } from '../files/file-head.js';
import type { ImportFormat } from './import-format.js';

/** Columns by heading, without blanks and underscores, and in lower case. */
const FIELDS: Readonly<Record<string, HeadingField>> = {
  temperature: { variable: 'air_temperature', unit: '°C' },
  humidity: { variable: 'relative_humidity', unit: '%' },
  pressure: { variable: 'air_pressure_at_mean_sea_level', unit: 'hPa' },
  rain: { variable: 'precipitation_amount', unit: 'mm' },
  sumrain: { variable: 'precipitation_amount', unit: 'mm' },
  windstrength: { variable: 'wind_speed', unit: 'km/h' },
  windangle: { variable: 'wind_from_direction', unit: 'degree' },
  guststrength: { variable: 'wind_speed_of_gust', unit: 'km/h' },
  gustangle: { variable: 'wind_gust_from_direction', unit: 'degree' },
};
const INDOOR = new Set(['temperature', 'humidity']);
const FIRST = 4;
/** Steps of the export in seconds whose timestamps are in the middle of the step. */
const STEPS = [1800, 3600, 10_800];

/**
 * Exports of Netatmo: one module in each file, described by its first two lines. Timestamps are seconds since 1970. If a step was
 * chosen, for example an hour, the values are of this step, and the timestamps are in its middle.
 */
export const netatmo: ImportFormat = {
  name: 'netatmo',
  title: 'Netatmo, export of a module',
  recognize(head) {
    if (!/^"?Name"?;"?Long"?;"?Lat"?;"?ModuleName"?;"?ModuleType"?$/.test(head.lines[0]?.trim() ?? ''))
      return undefined;
    const headings = head.fields(3, ';');
    if (headings[0] !== 'Timestamp' || !headings[1]?.startsWith('Timezone')) return undefined;
    const names = headings.map((heading) => heading.toLowerCase().replace(/[\s_]/g, ''));
    // Only modules in a room measure carbon dioxide or noise.
    const isIndoor = names.includes('co2') || names.includes('noise');
    const step = stepOf(head);
    const isDaily = step === DAY;
    const fields = isDaily ? { sumrain: { variable: 'daily_precipitation_amount', unit: 'mm' } } : FIELDS;
    const columns = columnsByHeading(names, {
      fields: isIndoor
        ? Object.fromEntries(Object.entries(fields).filter(([name]) => !INDOOR.has(name)))
        : fields,
      usedFields: [0, 1],
      reasonOf: (name) => {
        if (isIndoor && INDOOR.has(name)) return 'indoor';
        return isDaily ? 'a value of a whole day' : undefined;
      },
    });
    return {
      ...(step !== undefined && !isDaily && { routineInterval: step }),
      layout: { kind: 'delimited', delimiter: ';', first: FIRST, width: headings.length },
      time: isDaily
        ? {
            at: [1],
            headings: [headings[1]],
            // The middle of a day, also where clocks are changed on that day.
            formats: ['YYYY/MM/DD [12:00:00]', 'YYYY/MM/DD [11:30:00]', 'YYYY/MM/DD [12:30:00]'],
            zone: 'station',
            days: 'all',
          }
        : { at: [0], headings: ['Timestamp'], formats: ['unix'], zone: 'utc', interval: (step ?? 0) / 2 },
      columns: columns.map((column) => ({ ...column, heading: headings[column.at] ?? '' })),
    };
  },
};

/** The step of the export, in seconds; undefined if the file has the values as they were measured. */
function stepOf(head: FileHead): number | undefined {
  const times = head.samples(0, FIRST, ';').map(Number);
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  if (gaps.length === 0) return undefined;
  // A local day has 23 or 25 hours when clocks are changed.
  const isDays = (gap: number) => gap > DAY / 2 && Math.abs(gap / DAY - Math.round(gap / DAY)) <= 1 / 24;
  if (gaps.every(isDays)) return DAY;
  return STEPS.toReversed().find((step) => gaps.every((gap) => gap > 0 && gap % step === 0));
}
