import { MILLISECONDS } from '#domain/time.js';
import type { FileHead } from '../files/file-head.js';
import { columnsByHeading, type HeadingField, OKTA } from './by-heading.js';
import type { ImportFormat } from './import-format.js';

const HOURLY: Readonly<Record<string, HeadingField>> = {
  rain: { variable: 'precipitation_amount', unit: 'mm' },
  temp: { variable: 'air_temperature', unit: '°C' },
  dewpt: { variable: 'dew_point_temperature', unit: '°C' },
  rhum: { variable: 'relative_humidity', unit: '%' },
  msl: { variable: 'air_pressure_at_mean_sea_level', unit: 'hPa' },
  wdsp: { variable: 'wind_speed', unit: 'kt' },
  wddir: { variable: 'wind_from_direction', unit: 'degree' },
  sun: { variable: 'duration_of_sunshine', unit: 'h' },
  vis: { variable: 'visibility_in_air', unit: 'm' },
  // 9 means that the sky was not visible.
  clamt: { variable: 'cloud_area_fraction', unit: '%', factor: OKTA, missing: ['9'] },
};
const DAILY: Readonly<Record<string, HeadingField>> = {
  maxtp: { variable: 'daily_maximum_air_temperature', unit: '°C' },
  mintp: { variable: 'daily_minimum_air_temperature', unit: '°C' },
  rain: { variable: 'daily_precipitation_amount', unit: 'mm' },
  hg: { variable: 'daily_maximum_wind_speed_of_gust', unit: 'kt' },
};
/** The line of the legend of a daily file with the hours at which its days begin and end, in UTC: `date: - 00 to 00 utc`. */
const DAYS = /^date:.*\b(\d\d) *to *\d\d *utc/i;
/** Largest number of lines before the table. */
const PREAMBLE = 60;

/** Station files of Met Éireann, hourly (`hly….csv`) and daily (`dly….csv`), with a preamble. Times are in UTC. */
export const metEireann: ImportFormat = {
  name: 'met-eireann',
  title: 'Met Éireann, station file',
  recognize(head) {
    if (!head.lines[0]?.startsWith('Station Name:')) return undefined;
    const line = head.lines.slice(0, PREAMBLE).findIndex((text) => text.startsWith('date,')) + 1;
    if (line === 0) return undefined;
    const headings = head.fields(line, ',');
    const isDaily = !/\d:\d/.test(head.fields(line + 1, ',')[0] ?? '');
    return {
      title: `Met Éireann, ${isDaily ? 'daily' : 'hourly'} station file`,
      layout: { kind: 'delimited', delimiter: ',', first: line + 1, width: headings.length },
      time: {
        at: [0],
        headings: ['date'],
        formats: isDaily ? ['DD-MMM-YYYY'] : ['DD-MMM-YYYY HH:mm'],
        zone: 'utc',
        // Daily values are stored at the end of their day.
        ...(isDaily && {
          interval: (MILLISECONDS.day + dayStart(head) * MILLISECONDS.hour) / MILLISECONDS.second,
        }),
      },
      columns: columnsByHeading(headings, {
        fields: isDaily ? DAILY : HOURLY,
        usedFields: [0],
        reasonOf: (heading) => {
          if (/^i?ind$/.test(heading)) return 'describes how the value beside it was obtained';
          return isDaily ? 'a value of a whole day' : undefined;
        },
      }),
    };
  },
};

/** The hour of the day, in UTC, at which the days of a file begin. */
function dayStart({ lines }: FileHead): number {
  const hours = lines.slice(0, PREAMBLE).map((text) => DAYS.exec(text)?.[1]);
  return Number(hours.find((hour) => hour !== undefined) ?? 0);
}
