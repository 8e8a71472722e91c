import type { ColumnPlan, FileRecord, FileSource } from '../files/file-plan.js';
import { ImportFailure } from '../files/import-failure.js';
import type { ImportFormat } from './import-format.js';
import { cellOf, fieldOf, headText, jsonOf } from './json-fields.js';

type Block = 'metric' | 'imperial' | 'metric_si' | 'uk_hybrid';
/** The mean of `pressureMin` and `pressureMax`, which are the extremes of the interval. */
const PRESSURE = 'pressureMin, pressureMax';
type Kind = 'temperature' | 'wind' | 'pressure' | 'rain' | 'rate';

const UNITS: Readonly<Record<Block, Readonly<Record<Kind, string>>>> = {
  metric: { temperature: '°C', wind: 'km/h', pressure: 'hPa', rain: 'mm', rate: 'mm/h' },
  imperial: { temperature: '°F', wind: 'mph', pressure: 'inHg', rain: 'in', rate: 'in/h' },
  metric_si: { temperature: '°C', wind: 'm/s', pressure: 'hPa', rain: 'mm', rate: 'mm/h' },
  uk_hybrid: { temperature: '°C', wind: 'mph', pressure: 'hPa', rain: 'mm', rate: 'mm/h' },
};

/**
 * Fields of an observation. The gust and the UV index are the maximum of the interval. Direction, humidity, temperatures and wind
 * speed are the mean of the interval.
 */
const OUTER: readonly (readonly [field: string, variable: string, unit: string])[] = [
  ['winddirAvg', 'wind_from_direction', 'degree'],
  ['humidityAvg', 'relative_humidity', '%'],
  ['uvHigh', 'ultraviolet_index', '1'],
];
const INNER: readonly (readonly [field: string, variable: string, kind: Kind])[] = [
  ['tempAvg', 'air_temperature', 'temperature'],
  ['dewptAvg', 'dew_point_temperature', 'temperature'],
  ['windspeedAvg', 'wind_speed', 'wind'],
  ['windgustHigh', 'wind_speed_of_gust', 'wind'],
  [PRESSURE, 'air_pressure_at_mean_sea_level', 'pressure'],
  ['precipRate', 'rainfall_rate', 'rate'],
];
const COUNTER = 'precipTotal';
/** Fields of a day. */
const DAILY: readonly (readonly [field: string, variable: string, kind: Kind])[] = [
  ['tempHigh', 'daily_maximum_air_temperature', 'temperature'],
  ['tempLow', 'daily_minimum_air_temperature', 'temperature'],
  ['tempAvg', 'daily_mean_air_temperature', 'temperature'],
  ['dewptAvg', 'daily_mean_dew_point_temperature', 'temperature'],
  ['windspeedAvg', 'daily_mean_wind_speed', 'wind'],
  ['windspeedHigh', 'daily_maximum_wind_speed', 'wind'],
  ['windgustHigh', 'daily_maximum_wind_speed_of_gust', 'wind'],
  [COUNTER, 'daily_precipitation_amount', 'rain'],
];
const DAILY_OUTER: readonly (readonly [field: string, variable: string, unit: string])[] = [
  ['humidityAvg', 'daily_mean_relative_humidity', '%'],
  ['winddirAvg', 'daily_mean_wind_from_direction', 'degree'],
];
/** Smallest distance in seconds between observations of days. The last observation of a day may be some hours before midnight. */
const MIN_DAY = 20 * 3600;

/**
 * Replies of the API of Weather Underground (`v2/pws/history`, `observations/all` and `dailysummary`), saved as JSON. Times are in
 * UTC. If the observations are a day apart, each is the summary of the local day of its time.
 */
export const weatherUndergroundJson: ImportFormat = {
  name: 'weather-underground-json',
  title: 'Weather Underground, reply of its API',
  recognize(head) {
    const text = headText(head.bytes);
    if (head.kind !== 'text' || !/^\s*\{\s*"(?:observations|summaries)"\s*:/.test(text)) return undefined;
    const block = (Object.keys(UNITS) as Block[]).find((name) => text.includes(`"${name}"`));
    if (block === undefined || !text.includes('"obsTimeUtc"')) return undefined;
    const units = UNITS[block];
    if (areDays(text)) {
      return {
        title: 'Weather Underground, summaries of days of its API',
        layout: { kind: 'own', records: (source) => recordsOf(source, block, daysOf) },
        time: { at: [0], headings: ['obsTimeLocal'], formats: ['YYYY-MM-DD'], zone: 'station', days: 'all' },
        columns: [
          ...DAILY.map(([heading, variable, kind]) => ({ heading, variable, unit: units[kind] })),
          ...DAILY_OUTER.map(([heading, variable, unit]) => ({ heading, variable, unit })),
        ].map((column, index) => ({ kind: 'value', at: index + 1, ...column }) as const),
      };
    }
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
      {
        kind: 'left out',
        at: OUTER.length + INNER.length + 2,
        heading: 'solarRadiationHigh',
        reason: 'the maximum of the interval, not the mean',
      },
    ];
    return {
      layout: { kind: 'own', records: (source) => recordsOf(source, block, fieldsOf) },
      time: { at: [0], headings: ['obsTimeUtc'], formats: ['iso'], zone: 'utc' },
      columns,
    };
  },
};

/** Whether the observations are a day apart. A single observation is of a day if its local time is in the last hour of the day. */
function areDays(text: string): boolean {
  const epochs = [...text.matchAll(/"epoch"\s*:\s*(\d+)/g)].map(([, seconds]) => Number(seconds));
  if (epochs.length < 2) return /"obsTimeLocal"\s*:\s*"[\d-]+ 23:/.test(text);
  return epochs.slice(1).every((epoch, index) => Math.abs(epoch - (epochs[index] ?? 0)) >= MIN_DAY);
}

type Fields = (observation: unknown, inner: unknown) => readonly string[];

async function* recordsOf(
  source: FileSource,
  block: Block,
  fields: Fields,
): AsyncGenerator<readonly FileRecord[]> {
  const document = await jsonOf(source);
  const observations = fieldOf(document, 'observations') ?? fieldOf(document, 'summaries');
  if (!Array.isArray(observations)) {
    throw new ImportFailure('The file has no list "observations".');
  }
  yield observations.map((observation: unknown, index): FileRecord => ({
    line: index + 1,
    fields: fields(observation, fieldOf(observation, block)),
  }));
}

function fieldsOf(observation: unknown, inner: unknown): readonly string[] {
  const cell = (field: string) => cellOf(fieldOf(observation, field) ?? fieldOf(inner, field));
  const [lowest, highest] = [fieldOf(inner, 'pressureMin'), fieldOf(inner, 'pressureMax')];
  const areBoth = typeof lowest === 'number' && typeof highest === 'number';
  const pressure = areBoth ? String(Number(((lowest + highest) / 2).toPrecision(12))) : '';
  return [
    cell('obsTimeUtc'),
    ...OUTER.map(([field]) => cell(field)),
    ...INNER.map(([field]) => (field === PRESSURE ? pressure : cell(field))),
    cell(COUNTER),
    cell('solarRadiationHigh'),
  ];
}

function daysOf(observation: unknown, inner: unknown): readonly string[] {
  const date = cellOf(fieldOf(observation, 'obsTimeLocal')).slice(0, 'YYYY-MM-DD'.length);
  return [
    date,
    ...DAILY.map(([field]) => cellOf(fieldOf(inner, field))),
    ...DAILY_OUTER.map(([field]) => cellOf(fieldOf(observation, field))),
  ];
}
