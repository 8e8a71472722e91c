import { text as textOf } from 'node:stream/consumers';
import { DomainError } from '#domain/domain-error.js';
import type { ColumnPlan, FileRecord, FileSource } from '../files/file-plan.js';
import type { ImportFormat } from './import-format.js';

type Block = 'metric' | 'imperial' | 'metric_si' | 'uk_hybrid';
type Kind = 'temperature' | 'wind' | 'pressure' | 'rain' | 'rate';

const UNITS: Readonly<Record<Block, Readonly<Record<Kind, string>>>> = {
  metric: { temperature: '°C', wind: 'km/h', pressure: 'hPa', rain: 'mm', rate: 'mm/h' },
  imperial: { temperature: '°F', wind: 'mph', pressure: 'inHg', rain: 'in', rate: 'in/h' },
  metric_si: { temperature: '°C', wind: 'm/s', pressure: 'hPa', rain: 'mm', rate: 'mm/h' },
  uk_hybrid: { temperature: '°C', wind: 'mph', pressure: 'hPa', rain: 'mm', rate: 'mm/h' },
};

/**
 * Fields of an observation. Gusts, pressure, radiation and the UV index are read as the maximum of the interval. Direction,
 * humidity, temperatures and wind speed are read as the mean of the interval.
 */
const OUTER: readonly (readonly [field: string, variable: string, unit: string])[] = [
  ['winddirAvg', 'wind_from_direction', 'degree'],
  ['humidityAvg', 'relative_humidity', '%'],
  ['solarRadiationHigh', 'surface_downwelling_shortwave_flux_in_air', 'W/m²'],
  ['uvHigh', 'ultraviolet_index', '1'],
];
const INNER: readonly (readonly [field: string, variable: string, kind: Kind])[] = [
  ['tempAvg', 'air_temperature', 'temperature'],
  ['dewptAvg', 'dew_point_temperature', 'temperature'],
  ['windspeedAvg', 'wind_speed', 'wind'],
  ['windgustHigh', 'wind_speed_of_gust', 'wind'],
  ['pressureMax', 'air_pressure_at_mean_sea_level', 'pressure'],
  ['precipRate', 'rainfall_rate', 'rate'],
];
const COUNTER = 'precipTotal';

/** Replies of the API of Weather Underground (`v2/pws/history` and `observations/all`), saved as JSON. Times are in UTC. */
export const weatherUndergroundJson: ImportFormat = {
  name: 'weather-underground-json',
  title: 'Weather Underground, reply of its API',
  recognize(head) {
    const text = headText(head.bytes);
    if (head.kind !== 'text' || !/^\s*\{\s*"observations"\s*:/.test(text)) return undefined;
    const block = (Object.keys(UNITS) as Block[]).find((name) => text.includes(`"${name}"`));
    if (block === undefined || !text.includes('"obsTimeUtc"')) return undefined;
    const units = UNITS[block];
    const columns: ColumnPlan[] = [
      ...OUTER.map(
        ([heading, variable, unit], index) =>
          ({ kind: 'value', at: index + 1, heading, variable, unit }) as const,
      ),
      ...INNER.map(
        ([heading, variable, kind], index) =>
          ({ kind: 'value', at: OUTER.length + index + 1, heading, variable, unit: units[kind] }) as const,
      ),
      {
        kind: 'counter',
        at: OUTER.length + INNER.length + 1,
        heading: COUNTER,
        variable: 'precipitation_amount',
        unit: units.rain,
        resets: 'day',
      },
    ];
    return {
      layout: { kind: 'own', records: (source) => recordsOf(source, block) },
      time: { at: [0], headings: ['obsTimeUtc'], formats: ['iso'], zone: 'utc' },
      columns,
    };
  },
};

function headText(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString()
    .replace(/^\ufeff/, '');
}

async function* recordsOf(source: FileSource, block: Block): AsyncGenerator<readonly FileRecord[]> {
  let document: unknown;
  try {
    document = JSON.parse(await textOf(source.text()));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new DomainError('REQUEST_INVALID', `The file is not valid JSON: ${error.message}.`);
  }
  const observations = fieldOf(document, 'observations');
  if (!Array.isArray(observations)) {
    throw new DomainError('REQUEST_INVALID', 'The file has no list "observations".');
  }
  yield observations.map((observation: unknown, index): FileRecord => {
    const inner = fieldOf(observation, block);
    const fields = [
      'obsTimeUtc',
      ...OUTER.map(([field]) => field),
      ...INNER.map(([field]) => field),
      COUNTER,
    ].map((field) => cellOf(fieldOf(observation, field) ?? fieldOf(inner, field)));
    return { line: index + 1, fields };
  });
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

function cellOf(value: unknown): string {
  return typeof value === 'number' || typeof value === 'string' ? String(value) : '';
}
