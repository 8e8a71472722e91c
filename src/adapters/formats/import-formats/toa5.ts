import type { ColumnPlan } from '../files/file-plan.js';
import { unitNamed } from '../files/unit-names.js';
import type { ImportFormat } from './import-format.js';

/**
 * Rules by which columns are recognized. A rule fits a column if the name, the unit and the process of the column fit. The
 * process is the fourth line of headings and says how a value was computed, for example `Avg` or `Max`.
 *
 * The program of a logger chooses the names of its columns, so that only common names are recognized. The user maps the other
 * columns.
 */
const RULES: readonly {
  readonly name: RegExp;
  readonly variable: string;
  readonly units: readonly string[];
  readonly processes: readonly string[];
}[] = [
  rule(/^(?:airtc?|air_?t(?:emp)?(?:_?c)?|.*air_temperature)(?:_avg)?$/i, 'air_temperature', [
    '°C',
    '°F',
    'K',
  ]),
  rule(/^(?:rh|.*relative_humidity)(?:_avg)?$/i, 'relative_humidity', ['%']),
  rule(/^(?:.*dew_?point(?:_temperature)?|td)(?:_avg)?$/i, 'dew_point_temperature', ['°C', '°F', 'K']),
  rule(/^(?:bp(?:_mbar)?|bv_bp|pressure|.*absolute_air_pressure)(?:_avg)?$/i, 'surface_air_pressure', [
    'hPa',
    'mbar',
    'kPa',
  ]),
  rule(/^(?:ws_ms|wind_?speed|.*wind_speed_avg)(?:_avg|_s_wvt)?$/i, 'wind_speed', [
    'm/s',
    'km/h',
    'mph',
    'kt',
  ]),
  rule(/^(?:ws_ms|wind_?speed)_max$/i, 'wind_speed_of_gust', ['m/s', 'km/h', 'mph', 'kt'], ['Max']),
  rule(/^(?:wind_?dir|.*wind_direction_avg)(?:_avg|_d1_wvt)?$/i, 'wind_from_direction', ['degree']),
  rule(/^rain(?:_mm|_in)?_tot$/i, 'precipitation_amount', ['mm', 'in'], ['Tot']),
  rule(/^(?:slrw|solar(?:_?rad(?:iation)?)?|sr)(?:_avg)?$/i, 'surface_downwelling_shortwave_flux_in_air', [
    'W/m²',
  ]),
];
const FIRST = 5;

/** Tables of Campbell Scientific loggers in the format TOA5: four lines of headings, local times at the end of the interval. */
export const toa5: ImportFormat = {
  name: 'toa5',
  title: 'Campbell Scientific TOA5',
  recognize(head) {
    if (!/^"?TOA5"?,/.test(head.lines[0] ?? '')) return undefined;
    const [names, units, processes] = [head.fields(2, ','), head.fields(3, ','), head.fields(4, ',')];
    const time = names.indexOf('TIMESTAMP');
    if (time === -1) return undefined;
    const usedVariables = new Set<string>();
    return {
      layout: { kind: 'delimited', delimiter: ',', first: FIRST, width: names.length },
      time: {
        at: [time],
        headings: ['TIMESTAMP'],
        formats: ['YYYY-MM-DD HH:mm:ss', 'YYYY-MM-DD HH:mm'],
        zone: 'station-standard',
      },
      columns: names.flatMap((heading, at): ColumnPlan[] => {
        if (at === time) return [];
        const unit = unitNamed(units[at] ?? '');
        const process = processes[at] ?? '';
        const matchingRule = RULES.find(
          (each) =>
            each.name.test(heading) && each.processes.includes(process) && !usedVariables.has(each.variable),
        );
        if (matchingRule === undefined || unit === undefined || !matchingRule.units.includes(unit)) {
          const reason = matchingRule === undefined ? 'its name is not a common one' : 'its unit is unknown';
          return [{ kind: 'left out', at, heading, reason }];
        }
        usedVariables.add(matchingRule.variable);
        return [{ kind: 'value', at, heading, variable: matchingRule.variable, unit }];
      }),
      missing: ['NAN', 'INF', '-INF', '-7999'],
      notes: ['The file names no time zone. Its times are read as standard time of the station all year.'],
    };
  },
};

function rule(
  name: RegExp,
  variable: string,
  units: readonly string[],
  processes = ['Avg', 'Smp', 'WVc', ''],
) {
  return { name, variable, units, processes };
}
