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
  wdsp: { variable: 'daily_mean_wind_speed', unit: 'kt' },
  // The highest mean of ten minutes.
  hm: { variable: 'daily_maximum_wind_speed', unit: 'kt' },
  sun: { variable: 'daily_duration_of_sunshine', unit: 'h' },
  // The depth of the snow.
  dos: { variable: 'daily_surface_snow_thickness', unit: 'cm' },
  glorad: { variable: 'daily_mean_surface_downwelling_shortwave_flux_in_air', unit: 'J/cm²' },
  g_rad: { variable: 'daily_mean_surface_downwelling_shortwave_flux_in_air', unit: 'J/cm²' },
};
/** Headings of indicators, which describe how the value behind them was obtained. */
const INDICATOR = /^i?ind$|^igmin$/;
const DAILY_REASONS: Readonly<Record<string, string>> = {
  gmin: 'measured at the grass',
  cbl: 'the legend does not say at which height',
  ddhm: 'the service has no direction of the highest wind',
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
        fields: isDaily ? withIndicators(headings) : HOURLY,
        usedFields: [0],
        reasonOf: (heading) => {
          if (INDICATOR.test(heading)) return 'describes how the value beside it was obtained';
          return isDaily ? DAILY_REASONS[heading] : undefined;
        },
      }),
      ...(isDaily && { notes: [dayNote(dayStart(head))] }),
    };
  },
};

function dayNote(hour: number): string {
  const time = `${String(hour).padStart(2, '0')}:00 UTC`;
  return `Days begin at ${time}. Each row is stored at the end of its day, at ${time} of the next date.`;
}

/** The daily values with their indicators, which are kept as flags. */
function withIndicators(headings: readonly string[]): Readonly<Record<string, HeadingField>> {
  return Object.fromEntries(
    Object.entries(DAILY).map(([heading, field]) => {
      const before = headings.indexOf(heading) - 1;
      return [heading, INDICATOR.test(headings[before] ?? '') ? { ...field, flags: [before] } : field];
    }),
  );
}

/** The hour of the day, in UTC, at which the days of a file begin. */
function dayStart({ lines }: FileHead): number {
  const hours = lines.slice(0, PREAMBLE).map((text) => DAYS.exec(text)?.[1]);
  return Number(hours.find((hour) => hour !== undefined) ?? 0);
}
