import type { ColumnPlan } from '../files/file-plan.js';
import { unitNamed } from '../files/unit-names.js';
import type { ImportFormat } from './import-format.js';

type Units = readonly [us: string, metric: string, metricwx: string];
/**
 * Values of the column `usUnits`, which names the unit system of a row: `1` is US, `16` is metric, `17` is metric with m/s and
 * mm.
 */
const SYSTEMS = ['1', '16', '17'];

const TEMPERATURE: Units = ['°F', '°C', '°C'];
const PRESSURE: Units = ['inHg', 'mbar', 'mbar'];
const WIND: Units = ['mph', 'km/h', 'm/s'];
const SAME = (unit: string): Units => [unit, unit, unit];

interface Field {
  readonly column: string;
  readonly variable: string;
  readonly units: Units;
  /** Factors for values in units that the service does not have, such as cm/h. */
  readonly factors?: readonly [number, number, number];
}

const FIELDS: readonly Field[] = [
  { column: 'outTemp', variable: 'air_temperature', units: TEMPERATURE },
  { column: 'outHumidity', variable: 'relative_humidity', units: SAME('%') },
  { column: 'dewpoint', variable: 'dew_point_temperature', units: TEMPERATURE },
  { column: 'barometer', variable: 'air_pressure_at_mean_sea_level', units: PRESSURE },
  { column: 'pressure', variable: 'surface_air_pressure', units: PRESSURE },
  { column: 'windSpeed', variable: 'wind_speed', units: WIND },
  { column: 'windDir', variable: 'wind_from_direction', units: SAME('degree') },
  { column: 'windGust', variable: 'wind_speed_of_gust', units: WIND },
  { column: 'windGustDir', variable: 'wind_gust_from_direction', units: SAME('degree') },
  { column: 'rain', variable: 'precipitation_amount', units: ['in', 'cm', 'mm'] },
  {
    column: 'rainRate',
    variable: 'rainfall_rate',
    units: ['in/h', 'mm/h', 'mm/h'],
    factors: [1, 10, 1],
  },
  { column: 'radiation', variable: 'surface_downwelling_shortwave_flux_in_air', units: SAME('W/m²') },
  { column: 'UV', variable: 'ultraviolet_index', units: SAME('1') },
  { column: 'lightning_strike_count', variable: 'lightning_strike_count', units: SAME('1') },
  {
    column: 'pm1_0',
    variable: 'mass_concentration_of_pm1_ambient_aerosol_particles_in_air',
    units: SAME(unitNamed('ug/m3') ?? ''),
  },
  {
    column: 'pm2_5',
    variable: 'mass_concentration_of_pm2p5_ambient_aerosol_particles_in_air',
    units: SAME(unitNamed('ug/m3') ?? ''),
  },
  {
    column: 'pm10_0',
    variable: 'mass_concentration_of_pm10_ambient_aerosol_particles_in_air',
    units: SAME(unitNamed('ug/m3') ?? ''),
  },
];
const TABLE = 'archive';
/** Columns that every archive has. The records that are read begin with the time and the unit system; the other fields follow. */
const [TIME, SYSTEM, INTERVAL] = ['dateTime', 'usUnits', 'interval'] as const;
const BEFORE = 2;

/**
 * The database of WeeWX (and of wview): the table `archive` of an SQLite file. Each row has its own unit system. Times are in
 * UTC.
 */
export const weewxFiles: ImportFormat = {
  name: 'weewx',
  title: 'WeeWX, SQLite database',
  recognize(head) {
    const columns = head.tables.find(({ name }) => name === TABLE)?.columns ?? [];
    if (![TIME, SYSTEM, INTERVAL].every((name) => columns.includes(name))) return undefined;
    const fields = FIELDS.filter(({ column }) => columns.includes(column));
    const read = [TIME, SYSTEM, ...fields.map(({ column }) => column)];
    const query = { table: TABLE, columns: read, orderBy: TIME };
    return {
      layout: { kind: 'own', records: (source) => source.sqlite(query) },
      time: { at: [0], headings: [TIME], formats: ['unix'], zone: 'utc' },
      required: [
        {
          at: 1,
          heading: SYSTEM,
          texts: SYSTEMS,
          problem: `is not a unit system (${SYSTEMS.join(', ')})`,
        },
      ],
      isConsole: true,
      columns: [
        ...fields.flatMap(({ column, variable, units, factors }, index) =>
          SYSTEMS.map((system, of): ColumnPlan => ({
            kind: 'value',
            at: BEFORE + index,
            heading: column,
            variable,
            unit: units[of] ?? '',
            ...(factors !== undefined && factors[of] !== 1 && { factor: factors[of] ?? 1 }),
            when: { at: 1, texts: [system] },
          })),
        ),
        ...columns
          .filter((column) => column !== INTERVAL && !read.includes(column))
          .map((column): ColumnPlan => ({
            kind: 'left out',
            at: BEFORE + fields.length,
            heading: column,
            reason: reasonOf(column),
          })),
      ],
    };
  },
};

function reasonOf(column: string): string {
  if (/^in[A-Z]/.test(column)) return 'indoor';
  if (/Battery|Voltage|signal|rxCheck/i.test(column)) return 'a battery or a signal';
  if (/^(?:altimeter|windchill|heatindex|humidex|appTemp|ET|cloudbase|maxSolarRad|windrun)/.test(column))
    return 'derived from other values';
  return /^(?:extra|soil|leaf)/.test(column) ? 'of an extra sensor' : 'the service has no such variable';
}
