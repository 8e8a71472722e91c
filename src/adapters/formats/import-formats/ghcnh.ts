import { columnsByHeading, type HeadingField } from './by-heading.js';
import type { ImportFormat } from './import-format.js';

const FIELDS: Readonly<Record<string, HeadingField>> = {
  temperature: { variable: 'air_temperature', unit: '°C' },
  dew_point_temperature: { variable: 'dew_point_temperature', unit: '°C' },
  relative_humidity: { variable: 'relative_humidity', unit: '%' },
  station_level_pressure: { variable: 'surface_air_pressure', unit: 'hPa' },
  sea_level_pressure: { variable: 'air_pressure_at_mean_sea_level', unit: 'hPa' },
  wind_speed: { variable: 'wind_speed', unit: 'm/s' },
  // A direction of 000 means calm, 360 means north.
  wind_direction: {
    variable: 'wind_from_direction',
    unit: 'degree',
    words: { '0': Number.NaN, '000': Number.NaN },
  },
  wind_gust: { variable: 'wind_speed_of_gust', unit: 'm/s' },
  precipitation: { variable: 'precipitation_amount', unit: 'mm' },
  visibility: { variable: 'visibility_in_air', unit: 'km' },
  snow_depth: { variable: 'surface_snow_thickness', unit: 'mm' },
};
/**
 * Types of routine reports. Amounts of precipitation are read only from routine reports. Special and synoptic reports repeat
 * parts of the precipitation of an hour, which would then be counted twice.
 */
const ROUTINE = ['FM-15', 'AUTO', 'CRN05', 'CRN15', 'SAO', 'SY-SA', ''];
const ATTRIBUTE = /_(?:Measurement_Code|Quality_Code|Report_Type|Source_Code|Source_Station_ID)$/i;
const PARTS = ['Year', 'Month', 'Day', 'Hour', 'Minute'];

/**
 * GHCNh, the hourly Global Historical Climatology Network of NOAA: fields separated by `|`, five attributes for each value. Times
 * are in UTC.
 */
export const ghcnh: ImportFormat = {
  name: 'ghcnh',
  title: 'NOAA GHCNh',
  recognize(head) {
    const headings = head.fields(1, '|');
    if (!/^(?:Station_ID|STATION)$/.test(headings[0] ?? '') || !headings.includes('temperature'))
      return undefined;
    const date = headings.indexOf('DATE');
    const time = date === -1 ? PARTS.map((part) => headings.indexOf(part)) : [date];
    if (time.includes(-1)) return undefined;
    const type = headings.findIndex((heading) => /^precipitation_Report_Type$/i.test(heading));
    const { precipitation, ...others } = FIELDS as typeof FIELDS & { readonly precipitation: HeadingField };
    const amount = type === -1 ? precipitation : { ...precipitation, when: { at: type, texts: ROUTINE } };
    return {
      layout: { kind: 'delimited', delimiter: '|', first: 2, width: headings.length },
      station: { at: 0, heading: headings[0] ?? '', identifier: 'ghcn' },
      time: {
        at: time,
        headings: date === -1 ? PARTS : ['DATE'],
        formats: date === -1 ? ['YYYY M D H mm'] : ['iso', 'YYYY-MM-DDTHH:mm:ss'],
        zone: 'utc',
      },
      columns: columnsByHeading(headings, {
        fields: { ...others, precipitation: amount },
        usedFields: [0, ...time],
        reasonOf: (heading) => {
          if (ATTRIBUTE.test(heading)) return 'describes a value';
          if (/^precipitation_\d+_hour$/.test(heading)) return 'overlaps the amounts of single hours';
          return /^(?:STATION|Station|LATITUDE|LONGITUDE|ELEVATION|Latitude|Longitude|Elevation)/.test(
            heading,
          )
            ? 'describes the station'
            : undefined;
        },
      }),
      missing: ['-9999'],
      notes: [
        'Amounts of precipitation are read from routine reports, because special reports repeat parts of them.',
      ],
    };
  },
};
