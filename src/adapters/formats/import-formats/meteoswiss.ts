import { columnsByHeading, type HeadingField } from './by-heading.js';
import type { ImportFormat } from './import-format.js';

/**
 * Parameters of MeteoSwiss. The letter before the last digit is the interval: `z` and `s` ten minutes, `h` an hour. The direction
 * 0 means calm.
 */
const FIELDS: Readonly<Record<string, HeadingField>> = {
  tre200s0: { variable: 'air_temperature', unit: '°C' },
  tre200h0: { variable: 'air_temperature', unit: '°C' },
  tde200s0: { variable: 'dew_point_temperature', unit: '°C' },
  tde200h0: { variable: 'dew_point_temperature', unit: '°C' },
  ure200s0: { variable: 'relative_humidity', unit: '%' },
  ure200h0: { variable: 'relative_humidity', unit: '%' },
  prestas0: { variable: 'surface_air_pressure', unit: 'hPa' },
  prestah0: { variable: 'surface_air_pressure', unit: 'hPa' },
  pp0qffs0: { variable: 'air_pressure_at_mean_sea_level', unit: 'hPa' },
  pp0qffh0: { variable: 'air_pressure_at_mean_sea_level', unit: 'hPa' },
  fkl010z0: { variable: 'wind_speed', unit: 'm/s' },
  fkl010h0: { variable: 'wind_speed', unit: 'm/s' },
  fu3010z0: { variable: 'wind_speed', unit: 'km/h' },
  fu3010h0: { variable: 'wind_speed', unit: 'km/h' },
  fkl010z1: { variable: 'wind_speed_of_gust', unit: 'm/s' },
  fkl010h1: { variable: 'wind_speed_of_gust', unit: 'm/s' },
  fu3010z1: { variable: 'wind_speed_of_gust', unit: 'km/h' },
  fu3010h1: { variable: 'wind_speed_of_gust', unit: 'km/h' },
  dkl010z0: { variable: 'wind_from_direction', unit: 'degree' },
  dkl010h0: { variable: 'wind_from_direction', unit: 'degree' },
  rre150z0: { variable: 'precipitation_amount', unit: 'mm' },
  rre150h0: { variable: 'precipitation_amount', unit: 'mm' },
  gre000z0: { variable: 'surface_downwelling_shortwave_flux_in_air', unit: 'W/m²' },
  gre000h0: { variable: 'surface_downwelling_shortwave_flux_in_air', unit: 'W/m²' },
  sre000z0: { variable: 'duration_of_sunshine', unit: 'min' },
  sre000h0: { variable: 'duration_of_sunshine', unit: 'min' },
  htoauts0: { variable: 'surface_snow_thickness', unit: 'cm' },
};
const STATION = new Set(['station_abbr', 'stn', 'Station/Location']);
const TIME = new Set(['reference_timestamp', 'time', 'Date']);

/**
 * Open data of MeteoSwiss: files of one station, and files of all stations at one time (VQHA80). Times are in UTC, at the end of
 * the interval.
 */
export const meteoswiss: ImportFormat = {
  name: 'meteoswiss',
  title: 'MeteoSwiss, automatic stations',
  recognize(head) {
    const line = head.lines[0]?.startsWith('MeteoSchweiz /') === true ? 3 : 1;
    const delimiter = head.lines[line - 1]?.includes('|') === true ? '|' : ';';
    const headings = head.fields(line, delimiter);
    const [station = '', time = ''] = headings;
    if (!STATION.has(station) || !TIME.has(time)) return undefined;
    if (!headings.some((heading) => Object.hasOwn(FIELDS, heading))) return undefined;
    const first = line + 1;
    // Columns without values are left out: the file has the same wind in two units, and one of the two columns may be empty.
    const isEmpty = (heading: string) =>
      head.samples(headings.indexOf(heading), first, delimiter).every((text) => text === '' || text === '-');
    const fields = Object.fromEntries(Object.entries(FIELDS).filter(([heading]) => !isEmpty(heading)));
    return {
      layout: { kind: 'delimited', delimiter, first, width: headings.length },
      station: { at: 0, heading: station, identifier: 'meteoswiss' },
      time: { at: [1], headings: [time], formats: ['DD.MM.YYYY HH:mm', 'YYYYMMDDHHmm'], zone: 'utc' },
      columns: columnsByHeading(headings, {
        fields,
        usedFields: [0, 1],
        reasonOf: (heading) => (Object.hasOwn(FIELDS, heading) ? 'empty' : undefined),
      }),
      missing: ['-'],
    };
  },
};
