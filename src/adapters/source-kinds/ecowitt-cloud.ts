import type {
  SensorState,
  SourceDevice,
  SourceKind,
  SourceReport,
  Span,
} from '#application/ports/source-kind.js';
import { SourceFailure } from '#domain/sources/source-failure.js';
import { MILLISECONDS } from '#domain/time.js';
import type { Gauge, RainCounter, RainPeriod, Reading } from '#domain/uploads/upload.js';
import { urlUnder } from './reading/device-url.js';
import { isObject, type JsonObject, memberOf, textAt } from './reading/json-values.js';
import { Fields, millimetersOf, type Quantity, quantityOf, readingOf } from './reading/quantity.js';

const BASE_URL = 'https://api.ecowitt.net';
/** The units of replies: °C, hPa, m/s, mm, W/m². Replies name their units, which count. */
const UNITS = {
  temp_unitid: '1',
  pressure_unitid: '3',
  wind_speed_unitid: '6',
  rainfall_unitid: '12',
  solar_irradiance_unitid: '16',
};
/** The groups of values of a weather station. A request for the past must name them. */
const GROUPS = ['outdoor', 'wind', 'pressure', 'solar_and_uvi', 'rainfall', 'rainfall_piezo'];

const VARIABLES: ReadonlyMap<string, string> = new Map([
  ['outdoor.temperature', 'air_temperature'],
  ['outdoor.dew_point', 'dew_point_temperature'],
  ['outdoor.humidity', 'relative_humidity'],
  ['wind.wind_speed', 'wind_speed'],
  ['wind.wind_gust', 'wind_speed_of_gust'],
  ['wind.wind_direction', 'wind_from_direction'],
  ['pressure.absolute', 'surface_air_pressure'],
  ['pressure.relative', 'air_pressure_at_mean_sea_level'],
  ['solar_and_uvi.solar', 'surface_downwelling_shortwave_flux_in_air'],
  ['solar_and_uvi.uvi', 'ultraviolet_index'],
]);
const PERIODS: ReadonlyMap<string, RainPeriod> = new Map([
  ['event', 'event'],
  ['daily', 'day'],
  ['weekly', 'week'],
  ['monthly', 'month'],
  ['yearly', 'year'],
]);
const GAUGES: ReadonlyMap<string, Gauge> = new Map([
  ['rainfall', 'tipping'],
  ['rainfall_piezo', 'piezo'],
]);
const RATE = 'rain_rate';
const STRIKES = 'lightning.count';

/** A value that is older than the newest one by more than this comes from a sensor that is silent, in milliseconds. */
const OLD = 10 * MILLISECONDS.minute;
/** The service keeps rows of 5 minutes for 90 days, and rows of 30 minutes for a year. */
const CYCLES: readonly (readonly [age: number, cycle: string])[] = [
  [90 * MILLISECONDS.day, '5min'],
  [365 * MILLISECONDS.day, '30min'],
  [Infinity, '4hour'],
];
/** Codes of replies that stay the same until the owner changes a key or the address of the device. */
const OWNER_CODES = [40_000, 40_099] as const;

/** A value with its name: `outdoor.temperature`. */
type Named = readonly [name: string, quantity: Quantity];

/** The cloud of Ecowitt, version 3 of its API. */
export const ecowittCloud: SourceKind = {
  name: 'ecowitt-cloud',
  title: 'Ecowitt cloud',
  reach: 'public',
  shortestInterval: 60,
  settings: { account: true, url: false },
  secrets: { 'application-key': true, 'api-key': true },
  ask: async (device, span) =>
    span === undefined
      ? [newestOf(await request(device, 'real_time', { call_back: 'all' }))]
      : await pastOf(device, span),
  history: { longest: MILLISECONDS.day },
};

/** @returns the member `data` of the reply @throws SourceFailure */
async function request(
  device: SourceDevice,
  path: string,
  parameters: Readonly<Record<string, string>>,
): Promise<JsonObject> {
  const { url: base = BASE_URL, account = '', secrets } = device;
  const query = new URLSearchParams({
    application_key: secrets['application-key'] ?? '',
    api_key: secrets['api-key'] ?? '',
    mac: account,
    ...parameters,
    ...UNITS,
  });
  const url = urlUnder(base, `/api/v3/device/${path}?${query.toString()}`);
  const reply = (await device.fetch({ url })).json();
  const code = memberOf(reply, 'code');
  if (typeof code !== 'number' && typeof code !== 'string')
    throw new SourceFailure('The reply is not that of the Ecowitt cloud: check the base URL.');
  if (Number(code) !== 0) throw refusal(Number(code), textAt(reply, 'msg') ?? '');
  const data = memberOf(reply, 'data');
  // A device without values has an empty list in place of an object.
  return isObject(data) ? data : {};
}

function refusal(code: number, message: string): SourceFailure {
  const [first, last] = OWNER_CODES;
  return new SourceFailure(`The Ecowitt cloud refused the request: ${message} (code ${code}).`, {
    needsOwner: code >= first && code <= last,
  });
}

function newestOf(data: JsonObject): SourceReport {
  const metrics = metricsOf(data);
  const times = metrics.map(([, metric]) => secondsOf(textAt(metric, 'time')));
  const newest = Math.max(...times.filter((time) => !Number.isNaN(time)));
  if (metrics.length === 0 || newest === -Infinity)
    throw new SourceFailure('The Ecowitt cloud has no values of this device: check its MAC address.');
  const present = metrics.filter((_, index) => !(newest - (times[index] as number) > OLD));
  const values = present.flatMap(([name, metric]) => {
    const quantity = quantityIn(textAt(metric, 'value'), textAt(metric, 'unit'));
    return quantity === undefined ? [] : [[name, quantity] as const];
  });
  return { ...reportOf(newest, values), sensors: sensorsOf(values) };
}

async function pastOf(device: SourceDevice, { from, to }: Span): Promise<readonly SourceReport[]> {
  const age = device.now() - from;
  const mapped = device.fields.flatMap((name) => (name.includes('.') ? [name.split('.')[0] as string] : []));
  const data = await request(device, 'history', {
    // Times without a zone are UTC.
    start_date: utc(from),
    end_date: utc(to),
    cycle_type: CYCLES.find(([oldest]) => age < oldest)?.[1] ?? 'auto',
    call_back: [...new Set([...GROUPS, ...mapped])].join(','),
  });
  const rows = new Map<number, Named[]>();
  for (const [name, metric] of metricsOf(data)) {
    const [list, unit] = [memberOf(metric, 'list'), textAt(metric, 'unit')];
    for (const seconds of isObject(list) ? Object.keys(list) : []) {
      const [time, quantity] = [secondsOf(seconds), quantityIn(textAt(list, seconds), unit)];
      if (quantity === undefined || !(time >= from && time < to)) continue;
      const row = rows.get(time) ?? [];
      rows.set(time, row);
      row.push([name, quantity]);
    }
  }
  return [...rows].map(([time, values]) => reportOf(time, values)).toSorted((a, b) => a.time - b.time);
}

/** The metrics of all groups, with their names. A metric has a unit, and a value with a time, or a list of values. */
function metricsOf(data: JsonObject): readonly (readonly [name: string, metric: JsonObject])[] {
  return Object.entries(data).flatMap(([group, members]) =>
    isObject(members)
      ? Object.entries(members).flatMap(([name, metric]) =>
          isObject(metric) ? [[`${group}.${name}`, metric] as const] : [],
        )
      : [],
  );
}

function reportOf(time: number, values: readonly Named[]): SourceReport & { readonly time: number } {
  const readings = new Map<string, Reading>();
  const fields = new Fields();
  const counters: RainCounter[] = [];
  const rates: Named[] = [];
  for (const [name, quantity] of values) {
    const [group = '', member = ''] = name.split('.');
    const gauge = GAUGES.get(group);
    const period = PERIODS.get(member);
    if (group === 'battery') continue;
    if (gauge !== undefined && member === RATE) rates.push([name, quantity]);
    else if (gauge !== undefined && period !== undefined) {
      const amount = millimetersOf(quantity);
      if (amount !== undefined) counters.push({ gauge, period, amount });
    } else {
      const variable = VARIABLES.get(name);
      const reading = variable === undefined ? undefined : readingOf(name, variable, quantity);
      if (reading !== undefined) readings.set(reading.variable, reading);
      else if (name === STRIKES)
        readings.set(name, {
          field: name,
          variable: 'lightning_strike_count',
          unit: '1',
          value: quantity.value,
          counter: true,
        });
      else fields.add(name, quantity);
    }
  }
  const hasRain = (wanted: Gauge) => counters.some(({ gauge, amount }) => gauge === wanted && amount > 0);
  // The rate of the piezo gauge is that of the station only if no other gauge measures.
  const isPiezo = !hasRain('tipping') && hasRain('piezo');
  for (const [name, quantity] of isPiezo ? rates.toReversed() : rates) {
    const reading = readings.has(RATE) ? undefined : readingOf(name, 'rainfall_rate', quantity);
    if (reading === undefined) fields.add(name, quantity);
    else readings.set(RATE, reading);
  }
  return { time, readings: [...readings.values()], counters, fields: fields.list };
}

/** The voltages of batteries. Other states have different encodings, which the reply does not name. */
function sensorsOf(values: readonly Named[]): readonly SensorState[] {
  return values.flatMap(([name, { value, unit }]) =>
    name.startsWith('battery.') && unit === 'V' && value > 0
      ? [{ sensor: name.slice('battery.'.length), batteryVoltage: value }]
      : [],
  );
}

function quantityIn(text: string | undefined, unit: string | undefined): Quantity | undefined {
  // The service writes the sign of a masculine ordinal in place of the sign of a degree.
  const written = unit?.replace('º', '°').trim();
  return quantityOf(text, written === '' ? undefined : written);
}

/** Milliseconds of a number of seconds; NaN for another text. */
function secondsOf(text: string | undefined): number {
  return /^\d{9,11}$/.test(text ?? '') ? Number(text) * MILLISECONDS.second : Number.NaN;
}

function utc(time: number): string {
  return new Date(time).toISOString().slice(0, 19).replace('T', ' ');
}
