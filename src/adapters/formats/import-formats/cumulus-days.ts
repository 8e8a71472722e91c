import type { ColumnPlan } from '../files/file-plan.js';
import type { Questions } from '../files/questions.js';
import { fixedRows } from './fixed-rows.js';
import type { ImportFormat } from './import-format.js';

/** Start of a row: date, gust, its bearing and its time, minimum of the temperature and its time. */
const ROW =
  /^\d\d[/.-]\d\d[/.-]\d\d([,;])\d+(?:[.,]\d+)?\1\d{1,3}\1\d\d[:.]\d\d\1-?\d+(?:[.,]\d+)?\1\d\d[:.]\d\d\1/;
/** Smallest number of fields in a row of any version. */
const MIN_FIELDS = 15;
/** Fields that are read, by their index from 0. Cumulus computes the mean temperature from all its readings. */
const FIELDS: Readonly<Record<number, readonly [heading: string, variable: string, quantity: Quantity]>> = {
  1: ['highest gust', 'daily_maximum_wind_speed_of_gust', 'wind'],
  4: ['minimum temperature', 'daily_minimum_air_temperature', 'temperature'],
  6: ['maximum temperature', 'daily_maximum_air_temperature', 'temperature'],
  14: ['total rain', 'daily_precipitation_amount', 'rain'],
  15: ['average temperature', 'daily_mean_air_temperature', 'temperature'],
  17: ['highest average wind', 'daily_maximum_wind_speed', 'wind'],
  24: ['hours of sunshine', 'daily_duration_of_sunshine', 'sunshine'],
  39: ['dominant wind bearing', 'daily_mean_wind_from_direction', 'direction'],
};
type Quantity = 'wind' | 'temperature' | 'rain' | 'sunshine' | 'direction';
/** Position of the hours of sunshine. They are 0 on all days of a station that does not measure sunshine. */
const SUNSHINE = 24;

/**
 * The daily file of Cumulus (1 and MX), `dayfile.txt`: one row for each day, with the extremes and their times. It has no headings,
 * and the units are those that were set in the program.
 */
export const cumulusDays: ImportFormat = {
  name: 'cumulus-days',
  title: 'Cumulus, daily file (dayfile.txt)',
  recognize(head, questions) {
    const [row] = fixedRows(head, ROW, questions, 'cumulus-days');
    if (row === undefined) return undefined;
    const delimiter = row.includes(';') ? ';' : ',';
    const width = head.fields(head.lines.indexOf(row) + 1, delimiter).length;
    if (width < MIN_FIELDS) return undefined;
    const units = unitsOf(questions);
    const decimal = delimiter === ';' ? ',' : '.';
    const hasSunshine = head.samples(SUNSHINE, 1, delimiter).some((text) => /[1-9]/.test(text));
    return {
      layout: { kind: 'delimited', delimiter, first: 1 },
      decimal,
      time: {
        at: [0],
        headings: ['date'],
        formats: ['DD/MM/YY', 'DD.MM.YY', 'DD-MM-YY'],
        zone: 'station',
        days: 'all',
      },
      columns: [
        ...Object.entries(FIELDS).flatMap(([index, [heading, variable, quantity]]): ColumnPlan[] => {
          const at = Number(index);
          if (at >= width) return [];
          if (at === SUNSHINE && !hasSunshine) {
            return [{ kind: 'left out', at, heading, reason: 'always 0, so that it is not measured' }];
          }
          // A bearing of 0 means calm.
          const words = quantity === 'direction' ? { words: { '0': Number.NaN } } : {};
          return [{ kind: 'value', at, heading, variable, unit: units[quantity], ...words }];
        }),
        {
          kind: 'left out',
          at: width,
          heading: 'all other fields',
          reason: 'times, or other values of a day',
        },
      ],
      notes: [
        'Rows are stored at the end of the day of their date. If the day of Cumulus begins at 9 or 10 o’clock, its rain and its extremes are of the 24 hours from then on.',
      ],
    };
  },
};

function unitsOf(questions: Questions): Readonly<Record<Quantity, string>> {
  return {
    rain: questions.unit('rain', ['mm', 'in']),
    temperature: questions.unit('temperature', ['°C', '°F']),
    wind: questions.unit('wind', ['m/s', 'mph', 'km/h', 'kt']),
    sunshine: 'h',
    direction: 'degree',
  };
}
