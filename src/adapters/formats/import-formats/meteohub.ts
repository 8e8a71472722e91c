import { linesOf, type TextLine } from '../text/line-reader.js';
import type { FileRecord, FileSource, PlannedColumn } from '../files/file-plan.js';
import { fixedRows } from './fixed-rows.js';
import type { ImportFormat } from './import-format.js';

/** A row: UTC time, sensor with its number, values. */
const ROW = /^\d{14} (?:wind|rain|t|th|thb|uv|sol|data|date)\d*(?: +-?[\d.]+)* *$/;

/** A value of a sensor: position among its values, and the conversion of the text to the unit of the column. */
interface Value {
  readonly heading: string;
  readonly sensor: string;
  readonly at: number;
  readonly number: (text: string) => number;
  readonly variable: string;
  readonly unit: string;
}

const tenths = (text: string) => Number(text) / 10;
/** Tenths if the number begins with 0, as newer versions of the program write it; whole units otherwise. */
const tenthsAfterZero = (text: string) => (/^-?0\d/.test(text) ? tenths(text) : Number(text));
/** Tenths if the number is too large for a pressure in hPa. */
const tenthsIfAbove = (limit: number) => (text: string) =>
  Number(text) > limit ? Number(text) / 10 : Number(text);

/** The values that are read, by the appendix "Format of Raw Data" of the manual of Meteohub. The sensors 0 are the main ones. */
const VALUES: readonly Value[] = [
  value('th0', 0, 'temperature', tenths, 'air_temperature', '°C'),
  value('th0', 1, 'humidity', Number, 'relative_humidity', '%'),
  value('th0', 2, 'dew point', tenthsAfterZero, 'dew_point_temperature', '°C'),
  value('thb0', 3, 'pressure', tenthsIfAbove(5000), 'surface_air_pressure', 'hPa'),
  value('thb0', 5, 'sea level pressure', tenthsIfAbove(2000), 'air_pressure_at_mean_sea_level', 'hPa'),
  value('wind0', 0, 'direction', Number, 'wind_from_direction', 'degree'),
  value('wind0', 1, 'gust', tenths, 'wind_speed_of_gust', 'm/s'),
  value('wind0', 2, 'speed', tenths, 'wind_speed', 'm/s'),
  value('rain0', 0, 'rate', tenthsAfterZero, 'rainfall_rate', 'mm/h'),
  value('uv0', 0, 'UV index', tenthsAfterZero, 'ultraviolet_index', '1'),
  value('sol0', 0, 'radiation', Number, 'surface_downwelling_shortwave_flux_in_air', 'W/m²'),
  value('rain0', 2, 'total', tenths, 'precipitation_amount', 'mm'),
];
const SENSORS = [...new Set(VALUES.map(({ sensor }) => sensor))];
const OTHER = 'other';

/**
 * Raw data of Meteohub: a row for each transmission of a sensor. Times are in UTC. Consecutive rows with the same time become one
 * record. `thb0` is the indoor station with the barometer.
 */
export const meteohub: ImportFormat = {
  name: 'meteohub',
  title: 'Meteohub, raw data',
  recognize(head, questions) {
    if (fixedRows(head, ROW, questions, 'meteohub').length === 0) return undefined;
    return {
      layout: { kind: 'own', records: recordsOf },
      time: { at: [0], headings: ['time'], formats: ['YYYYMMDDHHmmss'], zone: 'utc' },
      rows: [{ at: 1, drop: [OTHER], reason: `of other sensors than ${SENSORS.join(', ')}` }],
      columns: VALUES.map(({ heading, variable, unit }, index): PlannedColumn | CounterOfRain => {
        const place = { at: index + 2, heading, variable, unit };
        return variable === 'precipitation_amount'
          ? { kind: 'counter', ...place, resets: 'never' }
          : { kind: 'value', ...place };
      }),
    };
  },
};

type CounterOfRain = Omit<PlannedColumn, 'kind'> & { readonly kind: 'counter'; readonly resets: 'never' };

function value(
  sensor: string,
  at: number,
  name: string,
  number: Value['number'],
  variable: string,
  unit: string,
): Value {
  return { heading: `${sensor} ${name}`, sensor, at, number, variable, unit };
}

async function* recordsOf(source: FileSource): AsyncGenerator<readonly FileRecord[]> {
  let lines: TextLine[] = [];
  const timeOf = ({ text }: TextLine) => text.slice(0, text.indexOf(' '));
  for await (const line of linesOf(source.text())) {
    const [first] = lines;
    if (first !== undefined && timeOf(first) !== timeOf(line)) {
      yield [recordOf(lines)];
      lines = [];
    }
    if (line.text.trim() !== '') lines.push(line);
  }
  if (lines.length > 0) yield [recordOf(lines)];
}

function recordOf(lines: readonly TextLine[]): FileRecord {
  const rows = lines.map(({ text }) => text.trim().split(/ +/));
  const cells = VALUES.map(({ sensor, at, number }) => {
    const text = rows.findLast(([, name]) => name === sensor)?.[at + 2];
    return text === undefined ? '' : String(number(text));
  });
  const line = lines.at(-1)?.number ?? 0;
  const isKnown = rows.some(([, name = '']) => SENSORS.includes(name));
  return { line, fields: [rows[0]?.[0] ?? '', isKnown ? '' : OTHER, ...cells] };
}
