import { MILLISECONDS } from '../../../domain/time.js';
import { columnsByHeading, type Field, OKTA } from './by-heading.js';
import type { Make } from './make.js';

const HOURLY: Readonly<Record<string, Field>> = {
  rain: { variable: 'precipitation_amount', unit: 'mm' },
  temp: { variable: 'air_temperature', unit: '°C' },
  dewpt: { variable: 'dew_point_temperature', unit: '°C' },
  rhum: { variable: 'relative_humidity', unit: '%' },
  msl: { variable: 'air_pressure_at_mean_sea_level', unit: 'hPa' },
  wdsp: { variable: 'wind_speed', unit: 'kt' },
  wddir: { variable: 'wind_from_direction', unit: 'degree' },
  sun: { variable: 'duration_of_sunshine', unit: 'h' },
  vis: { variable: 'visibility_in_air', unit: 'm' },
  // 9: the sky could not be seen.
  clamt: { variable: 'cloud_area_fraction', unit: '%', factor: OKTA, missing: ['9'] },
};
const DAILY: Readonly<Record<string, Field>> = {
  rain: { variable: 'precipitation_amount', unit: 'mm' },
};
/** Lines of the preamble and the legend. */
const PREAMBLE = 60;

/** Station files of Met Éireann, hourly (`hly….csv`) and daily (`dly….csv`), with a preamble. UTC. */
export const metEireann: Make = {
  name: 'met-eireann',
  title: 'Met Éireann, station file',
  recognise(head) {
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
        // The amount of a day is stored at its end.
        ...(isDaily && { interval: MILLISECONDS.day / MILLISECONDS.second }),
      },
      columns: columnsByHeading(headings, {
        fields: isDaily ? DAILY : HOURLY,
        taken: [0],
        reasonOf: (heading) => {
          if (/^i?ind$/.test(heading)) return 'tells how the value beside it was made';
          return isDaily ? 'a value of a whole day' : undefined;
        },
      }),
    };
  },
};
