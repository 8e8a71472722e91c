import type {
  SensorState,
  SourceDevice,
  SourceKind,
  SourceReply,
  SourceReport,
  SourceSettings,
  Span,
} from '#application/ports/source-kind.js';
import { SourceFailure } from '#domain/sources/source-failure.js';
import { MILLISECONDS } from '#domain/time.js';
import type { RainPeriod } from '#domain/uploads/upload.js';
import {
  arrayAt,
  isObject,
  type JsonObject,
  numberAt,
  parsed,
  textAt,
  timeIn,
} from './reading/json-values.js';
import { ReportValues } from './reading/report-values.js';

// Source: Davis Instruments, WeatherLink v2 API (https://weatherlink.github.io/v2-api/): authentication, data structure types, rate
// limits, data permissions. Units are imperial; rain is also sent in millimeters, in fields that end with `_mm`.

const NAME = 'weatherlink-cloud';
const SERVICE = 'https://api.weatherlink.com';
/** Age, compared with the newest record of a reply, from which a record is of a sensor that is no longer received, in milliseconds. */
const MAX_AGE = MILLISECONDS.hour;
/** The longest span of one request for the past, in milliseconds. */
export const MAX_SPAN = MILLISECONDS.day;
/** Numbers and identifiers of stations. */
const STATION = /^[\da-fA-F-]+$/;
/** Numbers of transmitters. */
const TRANSMITTER = /^[1-8]$/;

/** A field, its variable and its unit; undefined for the stored unit. */
type Reading = readonly [field: string, variable: string, unit?: string];

const LIGHT: readonly Reading[] = [
  ['solar_rad', 'surface_downwelling_shortwave_flux_in_air'],
  ['uv_index', 'ultraviolet_index'],
];
const MEAN_LIGHT: readonly Reading[] = [
  ['solar_rad_avg', 'surface_downwelling_shortwave_flux_in_air'],
  ['uv_index_avg', 'ultraviolet_index'],
];

/** The fields of a type of record that are stored. Of several fields with the same variable, the first one with a value is stored. */
interface Layout {
  readonly readings: readonly Reading[];
  /** Fields with a wind speed in mph, its variable, and the field and the variable of its direction. */
  readonly winds: readonly (readonly [
    speed: string,
    speedOf: string,
    direction: string,
    directionOf: string,
  ])[];
  /** Whether directions are numbers of the points of the compass, from 0 (N) to 15 (NNW). Otherwise they are degrees. */
  readonly arePoints?: true;
  /** Rain counters in mm. */
  readonly counters?: readonly (readonly [field: string, period: RainPeriod])[];
}

const MEAN_WIND = ['wind_speed', 'wind_from_direction'] as const;
const GUST_WIND = ['wind_speed_of_gust', 'wind_gust_from_direction'] as const;
const wind = (
  speed: string,
  direction: string,
  [speedOf, directionOf]: typeof MEAN_WIND | typeof GUST_WIND,
) => [speed, speedOf, direction, directionOf] as const;

/** Current conditions of transmitters of a WeatherLink Live or a WeatherLink Console. */
const CURRENT: Layout = {
  readings: [
    ['temp', 'air_temperature', '°F'],
    ['hum', 'relative_humidity'],
    ['dew_point', 'dew_point_temperature', '°F'],
    ['rain_rate_last_mm', 'rainfall_rate'],
    ...LIGHT,
  ],
  winds: [
    wind('wind_speed_avg_last_2_min', 'wind_dir_scalar_avg_last_2_min', MEAN_WIND),
    wind('wind_speed_avg_last_1_min', 'wind_dir_scalar_avg_last_1_min', MEAN_WIND),
    wind('wind_speed_last', 'wind_dir_last', MEAN_WIND),
    wind('wind_speed_hi_last_10_min', 'wind_dir_at_hi_speed_last_10_min', GUST_WIND),
    wind('wind_speed_hi_last_2_min', 'wind_dir_at_hi_speed_last_2_min', GUST_WIND),
  ],
  counters: [
    ['rainfall_daily_mm', 'day'],
    ['rainfall_day_mm', 'day'],
    ['rainfall_monthly_mm', 'month'],
    ['rainfall_month_mm', 'month'],
    ['rainfall_year_mm', 'year'],
  ],
};
const ARCHIVE: Layout = {
  readings: [
    ['temp_last', 'air_temperature', '°F'],
    ['hum_last', 'relative_humidity'],
    ['dew_point_last', 'dew_point_temperature', '°F'],
    ['rainfall_mm', 'precipitation_amount'],
    ...MEAN_LIGHT,
  ],
  winds: [
    wind('wind_speed_avg', 'wind_dir_of_prevail', MEAN_WIND),
    wind('wind_speed_hi', 'wind_speed_hi_dir', GUST_WIND),
  ],
  arePoints: true,
};
/**
 * Current conditions of a console with a WeatherLinkIP, and of Vantage Connect. The unit of `wind_dir` is not documented, so the
 * direction is a field.
 */
const CONSOLE_CURRENT: Layout = {
  readings: [
    ['temp_out', 'air_temperature', '°F'],
    ['hum_out', 'relative_humidity'],
    ['bar', 'air_pressure_at_mean_sea_level', 'inHg'],
    ['rain_rate_mm', 'rainfall_rate'],
    ['solar_rad', 'surface_downwelling_shortwave_flux_in_air'],
    ['uv', 'ultraviolet_index'],
  ],
  winds: [
    wind('wind_speed_10_min_avg', '', MEAN_WIND),
    wind('wind_speed', '', MEAN_WIND),
    wind('wind_gust_10_min', '', GUST_WIND),
  ],
  counters: [
    ['rain_day_mm', 'day'],
    ['rain_month_mm', 'month'],
    ['rain_year_mm', 'year'],
  ],
};
const CONSOLE_ARCHIVE: Layout = {
  readings: [
    ['temp_out', 'air_temperature', '°F'],
    ['hum_out', 'relative_humidity'],
    ['dew_point_out', 'dew_point_temperature', '°F'],
    ['abs_press', 'surface_air_pressure', 'inHg'],
    ['bar', 'air_pressure_at_mean_sea_level', 'inHg'],
    ['rainfall_mm', 'precipitation_amount'],
    ...MEAN_LIGHT,
  ],
  winds: [
    wind('wind_speed_avg', 'wind_dir_of_prevail', MEAN_WIND),
    wind('wind_speed_hi', 'wind_dir_of_hi', GUST_WIND),
  ],
  arePoints: true,
};
/** Barometers, rooms, soil and leaves. Their fields have names of their own, so one layout is enough. */
const OTHER: Layout = {
  readings: [
    ['bar_absolute', 'surface_air_pressure', 'inHg'],
    ['bar_sea_level', 'air_pressure_at_mean_sea_level', 'inHg'],
  ],
  winds: [],
};

/** Layouts by `data_structure_type`. */
const LAYOUTS: Readonly<Record<number, Layout>> = {
  1: CONSOLE_CURRENT,
  2: CONSOLE_CURRENT,
  3: CONSOLE_ARCHIVE,
  4: CONSOLE_ARCHIVE,
  7: CONSOLE_ARCHIVE,
  10: CURRENT,
  11: ARCHIVE,
  23: CURRENT,
  24: ARCHIVE,
  12: OTHER,
  13: OTHER,
  19: OTHER,
  20: OTHER,
  21: OTHER,
  22: OTHER,
  25: OTHER,
  26: OTHER,
};
/** Types of records about the devices themselves. Their values are not reported. */
const HEALTH: ReadonlySet<number> = new Set([14, 15, 18, 27]);

/**
 * Beginnings and ends of names of fields that do not become fields of a report: identifiers, states, rain in other units, and values that
 * are computed from others or overlap between records. Rooms have fields that end with `_in`, as fields in inches do.
 */
const IGNORED_STARTS = [
  'ts',
  'tz_offset',
  'tx_id',
  'arch_int',
  'rev_type',
  'trans_battery',
  'rssi',
  'reception',
  'iss_reception',
  'rain',
  'thw_',
  'thsw_',
  'heat_index',
  'wind_chill',
  'wet_bulb',
  'dew_point_in',
  'bar_',
];
const IGNORED_ENDS = ['_at', '_clicks', '_in', '_mm', '_hi', '_lo', '_degree_days'];
const INDOOR: ReadonlySet<string> = new Set(['temp_in', 'hum_in', 'temp_in_last', 'hum_in_last']);

/** A record of a sensor. */
interface SensorRecord {
  readonly type: number;
  readonly time: number;
  /** Number of the transmitter; Infinity if the record has none. */
  readonly transmitter: number;
  readonly sensor: string;
  readonly values: JsonObject;
}

export const weatherlinkCloud: SourceKind = {
  name: NAME,
  title: 'Davis WeatherLink, service',
  reach: 'public',
  shortestInterval: 60,
  // The interval of the Basic subscription.
  longestInterval: 900,
  settings: { account: true, device: false, url: false },
  secrets: { 'api-key': true, 'api-secret': true },
  history: { longest: MAX_SPAN },
  faultOf: (settings) => faultOfStation(NAME, settings),

  async ask(device, span) {
    if (span !== undefined) return await askArchive(device, span);
    const records = recordsOf(await current(device));
    const transmitters = transmittersOf(records, device.device);
    assertTransmitter(records, device.device);
    const newest = Math.max(...records.map(({ time }) => time));
    const present = records.filter(({ time }) => newest - time <= MAX_AGE);
    if (present.length === 0) throw new SourceFailure('WeatherLink has no values of this station.');
    return [reportOf(present, transmitters)];
  },
};

/** A fault of the number of the station at WeatherLink, or of the number of a transmitter, as a sentence. */
export function faultOfStation(kind: string, { account, device }: SourceSettings): string | undefined {
  if (account !== undefined && !STATION.test(account))
    return `The account of a source of the kind ${kind} is the number of the station at WeatherLink, for example 374964.`;
  return device === undefined || TRANSMITTER.test(device)
    ? undefined
    : `The device of a source of the kind ${kind} is the number of a transmitter, from 1 to 8.`;
}

/**
 * Asks for the reports of the archive in a span of at most `MAX_SPAN`.
 *
 * @param device without an account, the only station of the API key is asked for
 * @throws SourceFailure
 */
export async function askArchive(device: SourceDevice, span: Span): Promise<readonly SourceReport[]> {
  const account = device.account ?? (await onlyStation(device));
  const records = recordsOf(await historic({ ...device, account }, span));
  const transmitters = transmittersOf(records, device.device);
  const times = new Map<number, SensorRecord[]>();
  for (const record of records) times.set(record.time, [...(times.get(record.time) ?? []), record]);
  return [...times.values()].map((same) => reportOf(same, transmitters));
}

async function current(device: SourceDevice): Promise<unknown> {
  const reply = await request(device, `current/${device.account ?? ''}`, {});
  if (reply.status < 300) return reply.json();
  throw await wrongStation(device, reply);
}

async function historic(device: SourceDevice, { from, to }: Span): Promise<unknown> {
  const reply = await request(device, `historic/${device.account ?? ''}`, {
    'start-timestamp': String(Math.floor(from / MILLISECONDS.second)),
    'end-timestamp': String(Math.ceil(to / MILLISECONDS.second)),
  });
  if (reply.status < 300) return reply.json();
  if (reply.status === 403)
    throw new SourceFailure(
      `WeatherLink gives the past only of stations with a Pro or Pro+ subscription${messageOf(reply)}.`,
      { needsOwner: true },
    );
  throw await wrongStation(device, reply);
}

/** @returns a reply with a status below 300, 400, 403 or 404 @throws SourceFailure */
async function request(
  device: SourceDevice,
  path: string,
  query: Readonly<Record<string, string>>,
): Promise<SourceReply> {
  const { 'api-key': key = '', 'api-secret': secret = '' } = device.secrets;
  const parameters = new URLSearchParams({ ...query, 'api-key': key });
  const reply = await device.fetch({
    url: `${(device.url ?? SERVICE).replace(/\/$/, '')}/v2/${path}?${parameters.toString()}`,
    headers: { 'x-api-secret': secret },
    accepts: [400, 401, 403, 404],
  });
  if (reply.status === 401)
    throw new SourceFailure(`WeatherLink refused the API key or its secret${messageOf(reply)}.`, {
      needsOwner: true,
    });
  return reply;
}

interface Station {
  readonly number: string;
  readonly name: string;
}

/** The stations of the API key. */
async function stationsOf(device: SourceDevice): Promise<readonly Station[]> {
  const reply = await request(device, 'stations', {});
  return arrayAt(reply.status < 300 ? reply.json() : undefined, 'stations').flatMap((station) => {
    const number = textAt(station, 'station_id');
    return number === undefined
      ? []
      : [{ number, name: textAt(station, 'station_name') ?? 'without a name' }];
  });
}

const listOf = (stations: readonly Station[]) =>
  stations.map(({ number, name }) => `${number} (${name})`).join(', ') || 'none';

/** @throws SourceFailure if the API key has several stations, or none */
async function onlyStation(device: SourceDevice): Promise<string> {
  const stations = await stationsOf(device);
  const [first] = stations;
  if (first !== undefined && stations.length === 1) return first.number;
  throw new SourceFailure(
    `The API key has several stations or none, so the account of the source must name one. Its stations: ${listOf(stations)}.`,
    { needsOwner: true },
  );
}

/** The failure for a station that cannot be read. It names the stations of the key. */
async function wrongStation(device: SourceDevice, refusal: SourceReply): Promise<SourceFailure> {
  const stations = await stationsOf(device);
  const isKnown = stations.some(({ number }) => number === device.account);
  return new SourceFailure(
    isKnown
      ? `WeatherLink refused the request with status ${refusal.status}${messageOf(refusal)}.`
      : `The API key has no station ${device.account ?? ''}. Its stations: ${listOf(stations)}.`,
    { needsOwner: true },
  );
}

/** The message of an error, to be appended to a sentence. */
function messageOf(reply: SourceReply): string {
  const message = textAt(parsed(reply.text), 'message')?.replace(/\.$/, '');
  return message === undefined || message === '' ? '' : `: ${message}`;
}

function recordsOf(body: unknown): SensorRecord[] {
  if (!isObject(body) || !Array.isArray(body.sensors))
    throw new SourceFailure('The reply is not one of WeatherLink: check the base URL.');
  return body.sensors.flatMap((sensor: unknown) => {
    const type = numberAt(sensor, 'data_structure_type');
    if (type === undefined || HEALTH.has(type)) return [];
    return arrayAt(sensor, 'data').flatMap((values) => {
      const time = isObject(values) ? timeIn(values.ts) : undefined;
      if (!isObject(values) || time === undefined) return [];
      const transmitter = numberAt(values, 'tx_id') ?? Infinity;
      return [{ type, time, transmitter, sensor: textAt(sensor, 'lsid') ?? '', values }];
    });
  });
}

/** @throws SourceFailure if the station has no transmitter with the chosen number */
function assertTransmitter(records: readonly SensorRecord[], chosen: string | undefined): void {
  const numbers = records.map(({ transmitter }) => transmitter).filter(Number.isFinite);
  if (chosen === undefined || numbers.includes(Number(chosen))) return;
  const list = [...new Set(numbers)].join(', ') || 'none';
  throw new SourceFailure(`The station has no transmitter ${chosen}. Its transmitters: ${list}.`, {
    needsOwner: true,
  });
}

/** A value of a record: its field, its variable, its unit, and the value. */
type SentValue = readonly [field: string, variable: string, unit: string | undefined, value: number];

/** Stands for the rain counters among the variables of a transmitter. */
const RAIN = 'rain counters';

/**
 * The transmitter of each variable: the one with the lowest number that has it in any record of the reply. Another transmitter does not
 * replace it while it is not received, because it may be elsewhere, and the counters of two gauges have nothing in common.
 */
function transmittersOf(
  records: readonly SensorRecord[],
  chosen: string | undefined,
): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const record of records) {
    const { type, transmitter } = record;
    if (chosen !== undefined && Number.isFinite(transmitter) && String(transmitter) !== chosen) continue;
    const variables = sentValues(record).map(([, variable]) => variable);
    const counts = (LAYOUTS[type]?.counters ?? []).some(
      ([field]) => numberAt(record.values, field) !== undefined,
    );
    for (const variable of counts ? [...variables, RAIN] : variables)
      found.set(variable, Math.min(found.get(variable) ?? Infinity, transmitter));
  }
  return found;
}

/** Puts records together. They are of one time, or of the newest records of all sensors. */
function reportOf(records: readonly SensorRecord[], transmitters: ReadonlyMap<string, number>): SourceReport {
  const values = new ReportValues();
  const sensors: SensorState[] = [];
  for (const record of records) {
    const { type, transmitter, sensor } = record;
    const hasNumber = Number.isFinite(transmitter);
    const layout = LAYOUTS[type];
    const prefix = hasNumber ? `tx${transmitter}_` : layout === undefined ? `sensor${sensor}_` : '';
    for (const [field, variable, unit, value] of sentValues(record))
      if (transmitters.get(variable) === transmitter)
        values.reading(`${prefix}${field}`, variable, value, unit);
      else values.field(`${prefix}${field}`, value, unit);
    if (transmitters.get(RAIN) === transmitter)
      for (const [field, period] of layout?.counters ?? []) values.counter(period, record.values[field]);
    putFields(record, layout, prefix, values);
    if (hasNumber) sensors.push(...stateOf(record));
  }
  const time = Math.max(...records.map((record) => record.time));
  return { time, readings: values.readings, counters: values.counters, fields: values.fields, sensors };
}

/** The values of a record that have a variable. */
function sentValues({ type, values: sent }: SensorRecord): SentValue[] {
  const { readings = [], winds = [], arePoints } = LAYOUTS[type] ?? {};
  const found: SentValue[] = [];
  const add = (field: string, variable: string, unit: string | undefined, value: number | undefined) => {
    if (value !== undefined) found.push([field, variable, unit, value]);
  };
  for (const [field, variable, unit] of readings) add(field, variable, unit, numberAt(sent, field));
  for (const [speed, speedOf, direction, directionOf] of winds) {
    const value = numberAt(sent, speed);
    if (value === undefined || found.some(([, variable]) => variable === speedOf)) continue;
    add(speed, speedOf, 'mph', value);
    const angle = numberAt(sent, direction);
    if (arePoints === undefined) add(direction, directionOf, undefined, angle);
    else if (angle !== undefined && Number.isInteger(angle) && angle >= 0 && angle < 16)
      add(direction, directionOf, undefined, angle * 22.5);
  }
  return found;
}

function putFields(
  { values: sent }: SensorRecord,
  layout: Layout | undefined,
  prefix: string,
  values: ReportValues,
): void {
  const read = new Set([
    ...(layout?.readings ?? []).map(([field]) => field),
    ...(layout?.winds ?? []).flatMap(([speed, , direction]) => [speed, direction]),
    ...(layout?.counters ?? []).map(([field]) => field),
  ]);
  for (const [field, value] of Object.entries(sent))
    if (!read.has(field) && !isIgnored(field))
      values.field(`${prefix}${field}`, value, field.startsWith('temp') ? '°F' : undefined);
}

function isIgnored(field: string): boolean {
  if (INDOOR.has(field)) return false;
  return (
    IGNORED_STARTS.some((start) => field.startsWith(start)) || IGNORED_ENDS.some((end) => field.endsWith(end))
  );
}

function stateOf({ transmitter, values }: SensorRecord): SensorState[] {
  const [flag, reception, signal] = ['trans_battery_flag', 'reception', 'rssi'].map((name) =>
    numberAt(values, name),
  );
  if (flag === undefined && reception === undefined && signal === undefined) return [];
  return [
    {
      sensor: `transmitter ${transmitter}`,
      ...(flag !== undefined && { isBatteryLow: flag !== 0 }),
      ...(reception !== undefined && reception >= 0 && reception <= 100 && { reception }),
      ...(signal !== undefined && { signal }),
    },
  ];
}
