import type { FileHead } from '../files/file-head.js';
import type { ColumnPlan } from '../files/file-plan.js';
import type { Questions } from '../files/questions.js';
import { likelyPressureUnit, likelyTemperature } from './likely-units.js';
import type { ImportFormat } from './import-format.js';

/** Names of monthly logs: `Jan21log.txt`, `202101log.txt`. */
const NAME = /^(?:\p{L}{3,5}\.?\d\d|\d{6})log\.txt$/iu;
/**
 * Start of a row in which the date and the time are two fields. In a row of Cumulus MX 4 (`NEWER_ROW`) the date and the time are
 * one field, followed by the seconds since 1970.
 */
const ROW = /^\d\d[/.-]\d\d[/.-]\d\d([,;])\d\d[:.]\d\d\1/;
const NEWER_ROW = /^\d\d[/.-]\d\d[/.-]\d\d \d\d[:.]\d\d([,;])\d{9,11}\1/;
const NUMBER = String.raw`-?\d+(?:[.,]\d+)?`;
/**
 * A row of a file with another name. The fields after the time must have the form of temperature, humidity, dew point, wind, gust,
 * bearing, rain rate, rain of the day and pressure.
 */
// Expression of the fields of a row: each repetition is of digits, which a sign ends.
const CERTAIN = new RegExp(
  String.raw`^\d\d[/.-]\d\d[/.-]\d\d(?:([,;])\d\d[:.]\d\d| \d\d[:.]\d\d([,;])\d{9,11})(?:[,;]${NUMBER}[,;]\d{1,3})[,;]${NUMBER}[,;]${NUMBER}[,;]${NUMBER}[,;]\d{1,3}[,;]${NUMBER}[,;]${NUMBER}[,;](?:[23]\d[.,]\d+|[789]\d\d(?:[.,]\d+)?|1\d{3}(?:[.,]\d+)?)[,;]`,
);
const SAMPLE = 20;
/** Smallest number of fields in a row of any version. */
const MIN_FIELDS = 16;

type Field = readonly [heading: string, variable: string | undefined, quantity: string];
/**
 * The fields of a row, from the third field on:
 *
 * - A field that is read has a variable and a unit (`%`). If its unit depends on the settings of Cumulus, it has the name of a
 *   quantity (`wind`) instead of the unit.
 * - A field that is not read has no variable, but the reason why it is not read (`indoor`).
 */
const FIELDS: readonly Field[] = [
  ['temperature', 'air_temperature', 'temperature'],
  ['humidity', 'relative_humidity', '%'],
  ['dew point', 'dew_point_temperature', 'temperature'],
  ['wind speed', 'wind_speed', 'wind'],
  ['wind gust', 'wind_speed_of_gust', 'wind'],
  ['wind bearing', 'wind_from_direction', 'degree'],
  ['rain rate', 'rainfall_rate', 'rate'],
  ['rain today', undefined, 'another total of the same rain'],
  ['pressure', 'air_pressure_at_mean_sea_level', 'pressure'],
  ['rain counter', 'precipitation_amount', 'rain'],
  ['inside temperature', undefined, 'indoor'],
  ['inside humidity', undefined, 'indoor'],
  ['latest gust', undefined, 'a second value of the gust'],
  ['wind chill', undefined, 'derived from other values'],
  ['heat index', undefined, 'derived from other values'],
  ['UV index', 'ultraviolet_index', '1'],
  ['solar radiation', 'surface_downwelling_shortwave_flux_in_air', 'W/m²'],
];

/**
 * Monthly logs of Cumulus (1, MX 3 and MX 4). They have no headings, and the units are those that were set in the program. Times
 * are local; in MX 4 the rows also have instants.
 */
export const cumulus: ImportFormat = {
  name: 'cumulus',
  title: 'Cumulus, monthly log',
  recognize(head, questions) {
    const lines = head.lines.filter((line) => line.trim() !== '').slice(0, SAMPLE);
    if (lines.length === 0) return undefined;
    const isNamed = NAME.test(head.name) || questions.optionValue('format') === 'cumulus';
    if (!isNamed && !lines.every((line) => CERTAIN.test(line))) return undefined;
    const isNewer = lines.every((line) => NEWER_ROW.test(line));
    if (!isNewer && !lines.every((line) => ROW.test(line))) return undefined;
    const delimiter = lines[0]?.includes(';') === true ? ';' : ',';
    const width = head.fields(head.lines.indexOf(lines[0] ?? '') + 1, delimiter).length;
    if (width < MIN_FIELDS) return undefined;
    const units = unitsOf(head, delimiter, questions);
    return {
      // Older rows of a log may have fewer fields, because later versions of the program add fields.
      layout: { kind: 'delimited', delimiter, first: 1 },
      decimal: delimiter === ';' ? ',' : '.',
      time: isNewer
        ? { at: [1], headings: ['time stamp'], formats: ['unix'], zone: 'utc' }
        : { at: [0, 1], headings: ['date', 'time'], formats: FORMATS, zone: 'station' },
      columns: [
        ...FIELDS.map(([heading, variable, quantity], index): ColumnPlan => {
          const at = index + 2;
          if (variable === undefined) return { kind: 'left out', at, heading, reason: quantity };
          const unit = units[quantity] ?? quantity;
          if (quantity === 'rain') return { kind: 'counter', at, heading, variable, unit, resets: 'never' };
          return { kind: 'value', at, heading, variable, unit };
        }),
        ...(width > FIELDS.length + 2
          ? [
              {
                kind: 'left out' as const,
                at: FIELDS.length + 2,
                heading: 'all fields behind it',
                reason: 'the service has no such variable',
              },
            ]
          : []),
      ],
    };
  },
};

const FORMATS = ['/', '.', '-'].flatMap((sign) => [
  `DD${sign}MM${sign}YY HH:mm`,
  `DD${sign}MM${sign}YY HH.mm`,
]);

function unitsOf(head: FileHead, delimiter: string, questions: Questions): Readonly<Record<string, string>> {
  const samples = (at: number) => head.samples(at, 1, delimiter).map((text) => text.replace(',', '.'));
  const rain = questions.unit('rain', ['mm', 'in']);
  return {
    temperature:
      likelyTemperature(samples(2), samples(3), samples(4)) ?? questions.unit('temperature', ['°C', '°F']),
    wind: questions.unit('wind', ['m/s', 'mph', 'km/h', 'kt']),
    pressure: likelyPressureUnit(samples(10)) ?? questions.unit('pressure', ['hPa', 'inHg']),
    rain,
    rate: `${rain}/h`,
  };
}
