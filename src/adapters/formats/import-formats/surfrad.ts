import type { ColumnPlan } from '../files/file-plan.js';
import type { ImportFormat } from './import-format.js';

/** The values of a row in their order. A quality code follows each value. */
const VALUES = `
  dw_solar uw_solar direct_n diffuse dw_ir dw_casetemp dw_dometemp uw_ir uw_casetemp uw_dometemp
  uvb par netsolar netir totalnet temp rh windspd winddir pressure
`
  .trim()
  .split(/\s+/);
const FIELDS: Readonly<Record<string, readonly [variable: string, unit: string]>> = {
  dw_solar: ['surface_downwelling_shortwave_flux_in_air', 'W/m²'],
  temp: ['air_temperature', '°C'],
  rh: ['relative_humidity', '%'],
  windspd: ['wind_speed', 'm/s'],
  winddir: ['wind_from_direction', 'degree'],
  pressure: ['surface_air_pressure', 'mbar'],
};
/** Number of fields before the first value: year, day of the year, month, day, hour, minute, decimal time, zenith angle. */
const START = 8;
/** The code of a value that is physically impossible. The code 2 marks a value that needs scrutiny. */
const IMPOSSIBLE = ['1'];

/** Daily files of SURFRAD, the radiation network of NOAA, also of SOLRAD: means of one or three minutes. Times are in UTC. */
export const surfrad: ImportFormat = {
  name: 'surfrad',
  title: 'NOAA SURFRAD',
  recognize(head) {
    const [, station = '', row = ''] = head.lines;
    if (!/^\s*-?\d+\.\d+\s+-?\d+\.\d+\s+\d+ m version \d/.test(station)) return undefined;
    const width = START + 2 * VALUES.length;
    if (row.trim().split(/\s+/).length !== width) return undefined;
    return {
      layout: { kind: 'blanks', first: 3, width },
      time: {
        at: [0, 2, 3, 4, 5],
        headings: ['year', 'month', 'day', 'hour', 'min'],
        formats: ['YYYY M D H m'],
        zone: 'utc',
      },
      columns: VALUES.map((heading, index): ColumnPlan => {
        const at = START + 2 * index;
        const [variable, unit = ''] = FIELDS[heading] ?? [];
        if (variable === undefined)
          return { kind: 'left out', at, heading, reason: 'the service has no such variable' };
        return { kind: 'value', at, heading, variable, unit, when: { at: at + 1, not: IMPOSSIBLE } };
      }),
      missing: ['-9999.9'],
      notes: ['Values that are impossible according to NOAA (quality code 1) are left out.'],
    };
  },
};
