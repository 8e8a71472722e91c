import type { FileHead } from '../files/file-head.js';
import type { ColumnPlan } from '../files/file-plan.js';
import { splitHeading } from '../files/unit-names.js';
import type { ImportFormat } from './import-format.js';

/** Variables by the name in the heading, without the unit and in lower case. */
const VARIABLES: Readonly<Record<string, string>> = {
  temp: 'air_temperature',
  hum: 'relative_humidity',
  'dew point': 'dew_point_temperature',
  barometer: 'air_pressure_at_mean_sea_level',
  'absolute pressure': 'surface_air_pressure',
  'wind speed': 'wind_speed',
  'avg wind speed': 'wind_speed',
  'high wind speed': 'wind_speed_of_gust',
  'wind direction': 'wind_from_direction',
  'prevailing wind direction': 'wind_from_direction',
  'high wind direction': 'wind_gust_from_direction',
  rain: 'precipitation_amount',
  'rain rate': 'rainfall_rate',
  'solar rad': 'surface_downwelling_shortwave_flux_in_air',
  'uv index': 'ultraviolet_index',
};
const UNITS: Readonly<Record<string, string>> = {
  ultraviolet_index: '1',
  wind_from_direction: 'degree',
  wind_gust_from_direction: 'degree',
};
/**
 * Variables for which a console without outdoor sensors writes 0. The zeros are recognized by the temperature, which is then
 * `--`.
 */
const FALSE_ZEROS = new Set(['precipitation_amount', 'rainfall_rate', 'wind_speed_of_gust']);
const MISSING = '--';
/** Number of lines that may precede the headings. Usually there are five. */
const MAX_PREAMBLE = 10;

/** Exports of WeatherLink.com: usually five lines of preamble, all cells quoted, local times at the end of the interval. */
export const weatherlinkCsv: ImportFormat = {
  name: 'weatherlink-csv',
  title: 'Davis WeatherLink.com, CSV',
  recognize(head, questions) {
    const line = head.lines.slice(0, MAX_PREAMBLE).findIndex((text) => /^"?Date & Time"?,/.test(text)) + 1;
    if (line === 0) return undefined;
    const headings = head.fields(line, ',');
    const first = line + 1;
    const split = headings.map((heading) => {
      const { name, unit } = splitHeading(heading);
      return { name: name.toLowerCase(), unit };
    });
    const outdoor = split.findIndex(({ name }) => name === 'temp');
    // `dateOrder` concludes from these dates whether dates begin with the day or with the month. The dates are those of rows, and
    // the date in the second line of the file (`1/11/19 12:00 AM : 1 Year`). The date of the second line comes last, because
    // `dateOrder` may have to ask the user, and then shows the first date as an example.
    const dates = [...head.samples(0, first, ','), ...(line > 2 ? [head.fields(2, ',')[0] ?? ''] : [])];
    const date = questions.dateOrder(dates) === 'MDY' ? 'M/D/YY' : 'D/M/YY';
    const usedVariables = new Set<string>();
    return {
      layout: { kind: 'delimited', delimiter: ',', first, width: headings.length },
      decimal: hasDecimalComma(head, headings.length, first) ? ',' : '.',
      time: {
        at: [0],
        headings: ['Date & Time'],
        formats: [`${date} h:mm A`, `${date} H:mm`],
        zone: 'station',
      },
      columns: headings.flatMap((heading, at): ColumnPlan[] => {
        const { name, unit: headingUnit } = split[at] as (typeof split)[number];
        if (at === 0) return [];
        const variable = VARIABLES[name];
        const unit = UNITS[variable ?? ''] ?? headingUnit;
        if (variable === undefined || unit === undefined || usedVariables.has(variable)) {
          return [{ kind: 'left out', at, heading, reason: reasonOf(name, variable) }];
        }
        usedVariables.add(variable);
        const isFalse = FALSE_ZEROS.has(variable) && outdoor !== -1;
        return [
          {
            kind: 'value',
            at,
            heading,
            variable,
            unit,
            ...(isFalse && { when: { at: outdoor, not: [MISSING, ''] } }),
          },
        ];
      }),
      missing: [MISSING],
    };
  },
};

function hasDecimalComma(head: FileHead, width: number, first: number): boolean {
  for (let at = 1; at < width; at += 1) {
    if (head.samples(at, first, ',').some((text) => /^-?\d+,\d+$/.test(text))) return true;
  }
  return false;
}

function reasonOf(name: string, variable: string | undefined): string {
  if (variable !== undefined) return 'its unit is unknown, or another column has the same variable';
  if (name.startsWith('inside')) return 'indoor';
  if (/^(?:high|low) /.test(name)) return 'an extreme of the interval';
  if (/^(?:wet bulb|wind chill|heat index|thw|thsw|wind run|et$|solar energy|uv dose|.*degree)/.test(name))
    return 'derived from other values';
  if (/\d/.test(name)) return 'of an extra sensor';
  return 'the service has no such variable';
}
