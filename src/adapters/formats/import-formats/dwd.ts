import { columnsByHeading, type HeadingField, OKTA } from './by-heading.js';
import type { ImportFormat } from './import-format.js';

/** Parameters of the hourly products, by their names in the files. */
const FIELDS: Readonly<Record<string, HeadingField>> = {
  TT_TU: { variable: 'air_temperature', unit: '°C' },
  RF_TU: { variable: 'relative_humidity', unit: '%' },
  TD: { variable: 'dew_point_temperature', unit: '°C' },
  P: { variable: 'air_pressure_at_mean_sea_level', unit: 'hPa' },
  P0: { variable: 'surface_air_pressure', unit: 'hPa' },
  F: { variable: 'wind_speed', unit: 'm/s' },
  D: { variable: 'wind_from_direction', unit: 'degree' },
  FX_911: { variable: 'wind_speed_of_gust', unit: 'm/s' },
  R1: { variable: 'precipitation_amount', unit: 'mm' },
  SD_SO: { variable: 'duration_of_sunshine', unit: 'min' },
  V_VV: { variable: 'visibility_in_air', unit: 'm' },
  // -1 means that the sky was not visible.
  V_N: { variable: 'cloud_area_fraction', unit: '%', factor: OKTA, missing: ['-1'] },
};

/**
 * Products of the Climate Data Center of the Deutscher Wetterdienst with hourly values: `produkt_tu_stunde_….txt`. Times are in
 * UTC.
 */
export const dwd: ImportFormat = {
  name: 'dwd',
  title: 'Deutscher Wetterdienst, hourly product',
  recognize(head) {
    const headings = head.fields(1, ';');
    if (headings[0] !== 'STATIONS_ID' || headings[1] !== 'MESS_DATUM' || headings.at(-1) !== 'eor')
      return undefined;
    if (!/^\d{10}$/.test(head.fields(2, ';')[1] ?? '')) return undefined;
    return {
      routineInterval: 3600,
      layout: { kind: 'delimited', delimiter: ';', first: 2, width: headings.length },
      station: { at: 0, heading: 'STATIONS_ID', identifier: 'dwd' },
      time: { at: [1], headings: ['MESS_DATUM'], formats: ['YYYYMMDDHH'], zone: 'utc' },
      columns: columnsByHeading(headings, {
        fields: FIELDS,
        usedFields: [0, 1, headings.length - 1],
        reasonOf: (heading) => (heading.startsWith('QN_') ? 'describes the quality' : undefined),
      }),
      missing: ['-999'],
    };
  },
};
