import type { Options, Reply } from '../api.js';

/** The reply of `GET /v1/stations/{id}` without its history, and without the fields that all replies have. */
export type StationReply = Omit<
  Reply<'/v1/stations/{id}', 'get'>,
  'success' | 'code' | 'message' | 'history'
>;
export type StationBody = Options<'/v1/stations/{id}', 'put'>[0]['body'];

/** Names of the fields of the station form; they are the field names of the API. */
export const DRAFT_FIELDS = [
  'id',
  'name',
  'latitude',
  'longitude',
  'elevation',
  'time_zone',
  'reporting_interval',
  'sensor_heights',
  'limits',
  'visibility',
  'position_decimals',
  'since',
  'identifiers',
  'steps',
  'persistence',
  'cell_methods',
  'stamp_interval',
  'daily_observation_time',
] as const;

/** Returns the body of `PUT /v1/stations/{id}` that changes nothing. */
export function currentBody({ station, ...settings }: StationReply): StationBody {
  const { name, latitude, longitude, elevation, time_zone, reporting_interval, identifiers } = station;
  const { limits, steps, persistence, sensor_heights, cell_methods } = settings;
  const { stamp_interval, daily_observation_time, visibility, position_decimals } = settings;
  const place = { name, latitude, longitude, elevation, time_zone, reporting_interval, identifiers };
  const checks = { limits, steps, persistence, sensor_heights, cell_methods };
  return { ...place, ...checks, stamp_interval, daily_observation_time, visibility, position_decimals };
}

/** Writes the text of the field for limits, with one line for each variable: `air_temperature -40 50`. */
export function limitsText(limits: StationReply['limits']): string {
  return Object.entries(limits)
    .map(([variable, { min, max }]) => `${variable} ${min} ${max}`)
    .join('\n');
}

/** Writes the text of the field for sensor heights, with one line for each variable: `wind_speed 10`. */
export function heightsText(heights: StationReply['sensor_heights']): string {
  return Object.entries(heights)
    .map(([variable, height]) => `${variable} ${height}`)
    .join('\n');
}

/**
 * Parses lines such as `air_temperature -40 50`.
 *
 * @param numbers how many numbers follow the name of the variable
 * @returns the parsed lines, or the text of the first line that is not valid
 */
function parseLines(text: string, numbers: number): readonly (readonly [string, ...number[]])[] | string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const read = lines.map((line): readonly [string, ...number[]] => {
    const [variable = '', ...words] = line.trim().split(/\s+/);
    return [variable, ...words.map(Number)];
  });
  const wrong = read.findIndex((line) => line.length !== numbers + 1 || line.slice(1).some(Number.isNaN));
  return wrong === -1 ? read : (lines[wrong] as string);
}

/**
 * Builds the body of `PUT /v1/stations/{id}` from the fields of the form. Properties that are not in the form are copied from
 * `existing`.
 *
 * @returns the body, or the name of a field and the line in this field that is not valid
 */
export function stationBody(
  values: Readonly<Record<string, string>>,
  existing: StationReply | undefined,
): { readonly body: StationBody } | { readonly field: string; readonly line: string } {
  const numberOrNull = (name: string) => (values[name] === '' ? null : Number(values[name]));
  const limits = parseLines(values['limits'] ?? '', 2);
  if (typeof limits === 'string') return { field: 'limits', line: limits };
  const heights = parseLines(values['sensor_heights'] ?? '', 1);
  if (typeof heights === 'string') return { field: 'sensor_heights', line: heights };
  const further = furtherSettings(values, existing);
  if ('line' in further) return further;
  return {
    body: {
      name: values['name'] ?? '',
      latitude: Number(values['latitude']),
      longitude: Number(values['longitude']),
      elevation: numberOrNull('elevation'),
      time_zone: values['time_zone'] ?? '',
      reporting_interval: numberOrNull('reporting_interval'),
      limits: Object.fromEntries(limits.map(([variable, min = 0, max = 0]) => [variable, { min, max }])),
      sensor_heights: Object.fromEntries(heights.map(([variable, height = 0]) => [variable, height])),
      // The value is absent if the checkbox is not checked.
      visibility: values['visibility'] === 'hidden' ? 'hidden' : 'public',
      position_decimals: numberOrNull('position_decimals'),
      ...further.body,
      ...(values['since'] !== undefined && values['since'] !== '' && { since: values['since'] }),
    },
  };
}

/** Writes a value of the form as text. Values of single variables have a line each. */
export function settingText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return `${(value ?? '') as string | number}`;
  return Object.entries(value)
    .map(([name, setting]) =>
      [name, ...(typeof setting === 'object' ? Object.values(setting as object) : [setting])].join(' '),
    )
    .join('\n');
}

type FurtherSettings = Pick<
  StationBody,
  'identifiers' | 'steps' | 'persistence' | 'cell_methods' | 'stamp_interval' | 'daily_observation_time'
>;

/** Parses the settings that few stations need. A field that is not in the form keeps its stored value. */
function furtherSettings(
  values: Readonly<Record<string, string>>,
  existing: StationReply | undefined,
): { readonly body: FurtherSettings } | { readonly field: string; readonly line: string } {
  const stored: FurtherSettings = existing === undefined ? {} : furtherOf(existing);
  const linesOf = (name: string) => (values[name] ?? '').split('\n').filter((line) => line.trim() !== '');
  const words = (name: string) => linesOf(name).map((line) => line.trim().split(/\s+/));
  for (const name of ['identifiers', 'cell_methods']) {
    const wrong = linesOf(name).find((line) => line.trim().split(/\s+/).length < 2);
    if (wrong !== undefined) return { field: name, line: wrong };
  }
  const steps = parseLines(values['steps'] ?? '', 2);
  if (typeof steps === 'string') return { field: 'steps', line: steps };
  const persistence = parseLines(values['persistence'] ?? '', 1);
  if (typeof persistence === 'string') return { field: 'persistence', line: persistence };
  const pairs = (name: string) =>
    Object.fromEntries(words(name).map(([key = '', ...rest]) => [key, rest.join(' ')]));
  const typed: FurtherSettings = {
    identifiers: pairs('identifiers'),
    steps: Object.fromEntries(
      steps.map(([variable, minute = 0, hour = 0]) => [variable, { per_minute: minute, per_hour: hour }]),
    ),
    persistence: Object.fromEntries(persistence.map(([variable, seconds = 0]) => [variable, seconds])),
    cell_methods: pairs('cell_methods') as NonNullable<FurtherSettings['cell_methods']>,
    stamp_interval: values['stamp_interval'] === '' ? null : Number(values['stamp_interval']),
    // An empty text is unknown, because the API has null for it.
    daily_observation_time: values['daily_observation_time'] || null,
  };
  const present = Object.entries(typed).filter(([name]) => values[name] !== undefined);
  return { body: { ...stored, ...Object.fromEntries(present) } };
}

/** The settings of a station that few stations need. */
export function furtherOf({ station, ...settings }: StationReply) {
  const { steps, persistence, cell_methods, stamp_interval, daily_observation_time } = settings;
  const { identifiers } = station;
  return { identifiers, steps, persistence, cell_methods, stamp_interval, daily_observation_time };
}
