import type { ColumnPlan } from '../files/file-plan.js';
import type { Questions } from '../files/questions.js';
import { likelyPressureUnit, likelyTemperature } from './likely-units.js';
import type { ImportFormat } from './import-format.js';

/** Variables by the words of both heading lines, joined with blanks. Versions of the program shorten some of them. */
const VARIABLES: Readonly<Record<string, readonly [variable: string, quantity: Quantity]>> = {
  'Temp Out': ['air_temperature', 'temperature'],
  'Out Hum': ['relative_humidity', '%'],
  'Dew Pt.': ['dew_point_temperature', 'temperature'],
  'Dew Pt': ['dew_point_temperature', 'temperature'],
  'Dew Point': ['dew_point_temperature', 'temperature'],
  Dew: ['dew_point_temperature', 'temperature'],
  'Wind Speed': ['wind_speed', 'wind'],
  'Wind Dir': ['wind_from_direction', 'degree'],
  Dir: ['wind_from_direction', 'degree'],
  'Hi Speed': ['wind_speed_of_gust', 'wind'],
  'Hi Dir': ['wind_gust_from_direction', 'degree'],
  Bar: ['air_pressure_at_mean_sea_level', 'pressure'],
  Rain: ['precipitation_amount', 'rain'],
  'Rain Rate': ['rainfall_rate', 'rate'],
  'Solar Rad.': ['surface_downwelling_shortwave_flux_in_air', 'W/m²'],
  'Solar Rad': ['surface_downwelling_shortwave_flux_in_air', 'W/m²'],
  'UV Index': ['ultraviolet_index', '1'],
  UV: ['ultraviolet_index', '1'],
};
type Quantity = 'temperature' | 'wind' | 'pressure' | 'rain' | 'rate' | '%' | 'degree' | 'W/m²' | '1';

const FIRST = 4;

/**
 * Text exports of the WeatherLink program (`download.txt`): two lines of headings whose words are above each other, a line of
 * dashes, then rows with blanks or tabs. The file has no units. Times are local, at the end of the interval.
 */
export const weatherlinkText: ImportFormat = {
  name: 'weatherlink-text',
  title: 'Davis WeatherLink program, text',
  recognize(head, questions) {
    const [above = '', below = '', dashes = ''] = head.lines;
    const isTabbed = below.includes('\t');
    if (!/^\s*Date\s+Time\s/.test(below) || !/\bOut\b/.test(below)) return undefined;
    if (!isTabbed && !/^[-\s]+$/.test(dashes)) return undefined;
    const names = isTabbed ? tabbedNames(above, below) : stackedNames(above, below);
    const first = /^[-\s]+$/.test(dashes) ? FIRST : FIRST - 1;
    const rows = head.lines.slice(first - 1).map((line) => line.trim().split(isTabbed ? /\t/ : /\s+/));
    const samples = (variable: string) => {
      const at = names.findIndex((name) => variableOf(name) === variable);
      return at === -1 ? [] : rows.map((row) => row[at]?.trim() ?? '').filter((text) => text !== '');
    };
    const units = unitsOf(samples, questions);
    const date = questions.dateOrder(rows.map((row) => row[0]?.trim() ?? '')) === 'MDY' ? 'M/D/YY' : 'D/M/YY';
    return {
      layout: isTabbed
        ? { kind: 'delimited', delimiter: '\t', first, width: names.length }
        : { kind: 'blanks', first, width: names.length },
      time: {
        at: [0, 1],
        headings: ['Date', 'Time'],
        formats: [`${date} h:mmA`, `${date} H:mm`],
        zone: 'station',
      },
      columns: names.flatMap((heading, at): ColumnPlan[] => {
        if (at < 2) return [];
        const field = Object.hasOwn(VARIABLES, heading) ? VARIABLES[heading] : undefined;
        if (field === undefined || names.findIndex((name) => variableOf(name) === field[0]) !== at) {
          return [{ kind: 'left out', at, heading, reason: reasonOf(heading) }];
        }
        const [variable, quantity] = field;
        return [{ kind: 'value', at, heading, variable, unit: units[quantity] }];
      }),
      missing: ['---', '--', '------'],
    };
  },
};

function variableOf(name: string): string | undefined {
  return Object.hasOwn(VARIABLES, name) ? VARIABLES[name]?.[0] : undefined;
}

/** The words of the second line, each preceded by the words of the first line that are above it. */
function stackedNames(above: string, below: string): string[] {
  const wordsOf = (line: string) =>
    [...line.matchAll(/\S+/g)].map(({ 0: text, index }) => ({ text, from: index, to: index + text.length }));
  const upper = wordsOf(above);
  const lower = wordsOf(below);
  const prefixes = lower.map(() => [] as string[]);
  for (const word of upper) {
    const middle = (word.from + word.to) / 2;
    const distance = (at: number) => {
      const { from, to } = lower[at] as (typeof lower)[number];
      return Math.abs((from + to) / 2 - middle);
    };
    const nearest = lower.reduce((best, _, at) => (distance(at) < distance(best) ? at : best), 0);
    prefixes[nearest]?.push(word.text);
  }
  return lower.map(({ text }, at) => [...(prefixes[at] ?? []), text].join(' '));
}

function tabbedNames(above: string, below: string): string[] {
  const upper = above.split('\t');
  return below.split('\t').map((text, at) => `${upper[at]?.trim() ?? ''} ${text.trim()}`.trim());
}

function unitsOf(
  samples: (variable: string) => readonly string[],
  questions: Questions,
): Readonly<Record<Quantity, string>> {
  const rain = questions.unit('rain', ['in', 'mm']);
  return {
    temperature:
      likelyTemperature(
        samples('air_temperature'),
        samples('relative_humidity'),
        samples('dew_point_temperature'),
      ) ?? questions.unit('temperature', ['°F', '°C']),
    pressure:
      likelyPressureUnit(samples('air_pressure_at_mean_sea_level')) ??
      questions.unit('pressure', ['inHg', 'hPa']),
    wind: questions.unit('wind', ['mph', 'km/h', 'm/s', 'kt']),
    rain,
    rate: `${rain}/h`,
    '%': '%',
    degree: 'degree',
    'W/m²': 'W/m²',
    '1': '1',
  };
}

function reasonOf(heading: string): string {
  if (heading.startsWith('In ')) return 'indoor';
  if (/^(?:Hi|Low) /.test(heading)) return 'an extreme of the interval';
  if (/Chill|Index|D-D|Run|Energy|Dose|ET|EMC|Density/.test(heading)) return 'derived from other values';
  return 'the service has no such variable';
}
