import type {
  DatagramProtocol,
  SensorState,
  SourceDevice,
  SourceKind,
} from '#application/ports/source-kind.js';
import { SourceFailure } from '#domain/sources/source-failure.js';
import { hostAndPort } from '#domain/sources/source.js';
import { MILLISECONDS } from '#domain/time.js';
import {
  arrayAt,
  isObject,
  type JsonObject,
  memberOf,
  numberAt,
  parsed,
  textAt,
  timeIn,
} from './reading/json-values.js';
import { ReportValues } from './reading/report-values.js';
import { askArchive, faultOfStation, MAX_SPAN } from './weatherlink-cloud.js';

// Source: Davis Instruments, WeatherLink Live Local API (https://weatherlink.github.io/weatherlink-live-local-api/).

const NAME = 'weatherlink-live';
const SERVICE = '_weatherlinklive._tcp.local';
const HTTP_PORT = 80;
const BROADCAST_PORT = 22_222;
/** Statuses of replies that have an error of the device as JSON. */
const ERRORS = [400, 404, 409];
/** Values of `data_structure_type`. */
const [ISS, SOIL, BAROMETER, INDOOR] = [1, 2, 3, 4];
/** Value of `rx_state` for a transmitter that is not received. Its values are old. */
const LOST = 2;
/** Rain of one count of a gauge in mm, by `rain_size`. */
const GAUGE_SIZES: Readonly<Record<number, number>> = { 1: 0.254, 2: 0.2, 3: 0.1, 4: 0.0254 };
/** Numbers of transmitters. */
const TRANSMITTER = /^[1-8]$/;

/** Time after which the device is asked again to broadcast its wind, and the duration that it is asked for, in milliseconds. */
const [RENEWAL, BROADCAST] = [MILLISECONDS.hour, 2 * MILLISECONDS.hour];
/** Age up to which the wind of datagrams is kept, in milliseconds, and the largest number of kept maxima of a transmitter. */
const [MAX_AGE, MAX_MAXIMA] = [MILLISECONDS.day, 500];

/** Largest number of devices whose wind is kept. */
const MAX_DEVICES = 256;

/** Fields with the mean wind and its direction, the best first. */
const WINDS = [
  ['wind_speed_avg_last_2_min', 'wind_dir_scalar_avg_last_2_min'],
  ['wind_speed_avg_last_1_min', 'wind_dir_scalar_avg_last_1_min'],
  ['wind_speed_last', 'wind_dir_last'],
] as const;
const GUSTS = [
  ['wind_speed_hi_last_10_min', 'wind_dir_at_hi_speed_last_10_min'],
  ['wind_speed_hi_last_2_min', 'wind_dir_at_hi_speed_last_2_min'],
] as const;
/** Fields of a transmitter that are stored as they are. */
const READINGS = [
  ['temp', 'air_temperature', '°F'],
  ['hum', 'relative_humidity', undefined],
  ['dew_point', 'dew_point_temperature', '°F'],
  ['solar_rad', 'surface_downwelling_shortwave_flux_in_air', undefined],
  ['uv_index', 'ultraviolet_index', undefined],
] as const;
/** Rain counters, the one that is reset most often first. */
const COUNTERS = [
  ['rainfall_daily', 'day'],
  ['rainfall_monthly', 'month'],
  ['rainfall_year', 'year'],
] as const;
/**
 * Fields that do not become fields of a report: fields that are read elsewhere, identifiers, states, and values that are computed from
 * others or overlap between replies.
 */
const IGNORED: ReadonlySet<string> = new Set([
  ...READINGS.map(([field]) => field),
  ...COUNTERS.map(([field]) => field),
  ...[...WINDS, ...GUSTS].flat(),
  ...'lsid data_structure_type txid rx_state trans_battery_flag bar_trend bar_absolute bar_sea_level'.split(
    ' ',
  ),
  ...'wet_bulb heat_index wind_chill thw_index thsw_index dew_point_in heat_index_in'.split(' '),
  ...'wind_speed_avg_last_10_min wind_dir_scalar_avg_last_10_min'.split(' '),
  ...'rain_size rain_rate_last rain_rate_hi rain_rate_hi_last_15_min'.split(' '),
  ...'rainfall_last_15_min rainfall_last_60_min rainfall_last_24_hr'.split(' '),
  ...'rain_storm rain_storm_start_at rain_storm_last rain_storm_last_start_at rain_storm_last_end_at'.split(
    ' ',
  ),
]);

/** A wind speed in mph, with its direction in degrees and the time of its receipt in milliseconds since 1970-01-01T00:00:00Z. */
interface Wind {
  readonly time: number;
  readonly speed: number;
  readonly direction: number | undefined;
}

/** The highest winds of one transmitter: each is higher than all that came after it. */
class WindMaxima {
  readonly #maxima: Wind[] = [];

  add(wind: Wind): void {
    while ((this.#maxima.at(-1)?.speed ?? Infinity) <= wind.speed) this.#maxima.pop();
    this.#maxima.push(wind);
    while (this.#maxima.length > MAX_MAXIMA || (this.#maxima[0]?.time ?? Infinity) < wind.time - MAX_AGE)
      this.#maxima.shift();
  }

  /** The highest wind after a time. */
  since(time: number): Wind | undefined {
    return this.#maxima.find((wind) => wind.time > time);
  }
}

/** What is known of a device that was asked. */
interface KnownDevice {
  /** Time at which the device was last asked to broadcast, in milliseconds since 1970-01-01T00:00:00Z. */
  renewedAt: number;
  /** By number of the transmitter. */
  readonly winds: Map<number, WindMaxima>;
}

/**
 * Creates the kind for a WeatherLink Live.
 *
 * A row has the values of one reply over HTTP. Between two replies the device broadcasts the wind each 2.5 s, which would be 24 rows a
 * minute, so no datagram becomes a row. The kind keeps the highest wind of the datagrams, and the gust of a row is not below the highest
 * wind since the row before. The rain of a datagram is in the counters of the next reply too.
 *
 * The device gives no past. The archive of its service has it, if the source has the keys of this service.
 */
export function createWeatherlinkLive(): SourceKind {
  /** By `did`, the identifier of a device. Datagrams of other devices are not kept. */
  const devices = new Map<string, KnownDevice>();

  const datagrams: DatagramProtocol = {
    port: BROADCAST_PORT,
    decode(datagram, _settings, receivedAt) {
      const sent = parsed(Buffer.from(datagram).toString('utf8'));
      const known = devices.get(textAt(sent, 'did') ?? '');
      if (known === undefined) return [];
      for (const record of arrayAt(sent, 'conditions')) {
        const [transmitter, speed] = [numberAt(record, 'txid'), numberAt(record, 'wind_speed_last')];
        if (transmitter === undefined || !TRANSMITTER.test(String(transmitter)) || speed === undefined)
          continue;
        const winds = known.winds.get(transmitter) ?? new WindMaxima();
        known.winds.set(transmitter, winds);
        winds.add({ time: receivedAt, speed, direction: numberAt(record, 'wind_dir_last') });
      }
      return [];
    },
  };

  return {
    name: NAME,
    title: 'Davis WeatherLink Live',
    reach: 'local',
    shortestInterval: 10,
    settings: { address: true, device: false, account: false, url: false },
    secrets: { 'api-key': false, 'api-secret': false },
    history: { longest: MAX_SPAN, secrets: ['api-key', 'api-secret'], reach: 'public' },
    faultOf: (settings) => faultOfStation(NAME, settings),
    datagrams,

    async ask(device, span) {
      if (span !== undefined) return await askArchive(device, span);
      const data = await request(device, 'current_conditions');
      const records = arrayAt(data, 'conditions').filter(isObject);
      if (!records.some((record) => [ISS, SOIL, BAROMETER, INDOOR].includes(typeOf(record))))
        throw new SourceFailure('The device is not a WeatherLink Live: check its address and its kind.');
      const did = textAt(data, 'did') ?? '';
      const known = devices.get(did);
      if (known === undefined && devices.size < MAX_DEVICES)
        devices.set(did, { renewedAt: -Infinity, winds: new Map() });
      // The first request of a process does not start the broadcasts, because it may be a test of the settings.
      if (known !== undefined) await renewBroadcasts(device, known);
      const { since } = device;
      const windOf = (transmitter: number) =>
        since === undefined ? undefined : known?.winds.get(transmitter)?.since(since);
      return [reportOf(records, timeIn(memberOf(data, 'ts')), device.device, windOf)];
    },

    async *find(search) {
      for await (const { name, address, port } of search.services(SERVICE))
        yield { address: port === HTTP_PORT ? address : `${address}:${port}`, description: name };
    },
  };
}

export const weatherlinkLive: SourceKind = createWeatherlinkLive();

/** Asks for the broadcasts of the wind, if it is time to. A device that refuses gives reports nevertheless. */
async function renewBroadcasts(device: SourceDevice, known: KnownDevice): Promise<void> {
  if (device.now() - known.renewedAt < RENEWAL) return;
  known.renewedAt = device.now();
  try {
    await request(device, `real_time?duration=${BROADCAST / MILLISECONDS.second}`);
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error;
  }
}

/** @returns the `data` of the reply @throws SourceFailure */
async function request(device: SourceDevice, path: string): Promise<JsonObject> {
  const { host, port } = hostAndPort(device.address ?? '', HTTP_PORT);
  const authority = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  const reply = await device.fetch({ url: `http://${authority}/v1/${path}`, accepts: ERRORS });
  const body = reply.status < 300 ? reply.json() : parsed(reply.text);
  const data = memberOf(body, 'data');
  if (isObject(data)) return data;
  const error = memberOf(body, 'error');
  if (isObject(error))
    throw new SourceFailure(
      `The WeatherLink Live answered with an error: ${textAt(error, 'message') ?? 'no message'} (${textAt(error, 'code') ?? 'no code'}).`,
    );
  throw new SourceFailure('The device is not a WeatherLink Live: check its address and its kind.');
}

function reportOf(
  records: readonly JsonObject[],
  time: number | undefined,
  chosen: string | undefined,
  windOf: (transmitter: number) => Wind | undefined,
) {
  const values = new ReportValues();
  const sensors: SensorState[] = [];
  const transmitters = records
    .filter((record) => typeOf(record) === ISS)
    .toSorted((a, b) => transmitterOf(a) - transmitterOf(b));
  if (chosen !== undefined && !transmitters.some((record) => String(transmitterOf(record)) === chosen)) {
    const numbers = transmitters.map(transmitterOf).join(', ') || 'none';
    throw new SourceFailure(`The device has no transmitter ${chosen}. Its transmitters: ${numbers}.`, {
      needsOwner: true,
    });
  }
  /** Variables of a transmitter that is not received. A transmitter with a higher number does not replace it, because it may be elsewhere. */
  const lost = new Set<string>();
  let hasGauge = false;
  for (const record of transmitters) {
    const transmitter = transmitterOf(record);
    const isChosen = chosen === undefined || String(transmitter) === chosen;
    const isLost = record.rx_state === LOST;
    const name = (field: string) => `${prefixOf(transmitter)}${field}`;
    const put = (field: string, variable: string, value: unknown, unit?: string) => {
      if (value === null || value === undefined) return;
      if (isLost) {
        if (isChosen && !values.has(variable)) lost.add(variable);
      } else if (isChosen && !lost.has(variable)) values.reading(name(field), variable, value, unit);
      else values.field(name(field), value, unit);
    };
    for (const [field, variable, unit] of READINGS) put(field, variable, record[field], unit);
    putWind(record, isLost ? undefined : windOf(transmitter), put);
    const size = GAUGE_SIZES[numberAt(record, 'rain_size') ?? 0];
    if (size !== undefined && numberAt(record, 'rain_rate_last') !== undefined)
      put(
        'rain_rate_last',
        'rainfall_rate',
        Number(((numberAt(record, 'rain_rate_last') ?? 0) * size).toPrecision(12)),
        'mm/h',
      );
    const counts = size !== undefined && COUNTERS.some(([field]) => numberAt(record, field) !== undefined);
    // The counters of two gauges have nothing in common. So a gauge is not replaced by another one while it is not received.
    if (isChosen && counts && !hasGauge && !isLost)
      for (const [field, period] of COUNTERS) values.counter(period, record[field], size);
    if (isChosen && counts) hasGauge = true;
    if (isLost) continue;
    for (const [field, value] of Object.entries(record))
      if (!IGNORED.has(field)) values.field(name(field), value);
    sensors.push(...stateOf(record, 'iss'));
  }
  for (const record of records) putOther(record, values, sensors);
  return { time, readings: values.readings, counters: values.counters, fields: values.fields, sensors };
}

function putWind(
  record: JsonObject,
  highest: Wind | undefined,
  put: (field: string, variable: string, value: unknown, unit?: string) => void,
): void {
  const mean = WINDS.find(([speed]) => numberAt(record, speed) !== undefined);
  if (mean !== undefined) {
    put(mean[0], 'wind_speed', record[mean[0]], 'mph');
    put(mean[1], 'wind_from_direction', record[mean[1]]);
  }
  const gust = GUSTS.find(([speed]) => numberAt(record, speed) !== undefined);
  if (
    highest !== undefined &&
    highest.speed > (gust === undefined ? -1 : (numberAt(record, gust[0]) ?? -1))
  ) {
    put(GUSTS[0][0], 'wind_speed_of_gust', highest.speed, 'mph');
    put(GUSTS[0][1], 'wind_gust_from_direction', highest.direction);
  } else if (gust !== undefined) {
    put(gust[0], 'wind_speed_of_gust', record[gust[0]], 'mph');
    put(gust[1], 'wind_gust_from_direction', record[gust[1]]);
  }
}

/** Reads a record that is not of an ISS: soil and leaves, the barometer, the room of the device, and types of newer firmware. */
function putOther(record: JsonObject, values: ReportValues, sensors: SensorState[]): void {
  const type = typeOf(record);
  if (type === ISS || record.rx_state === LOST) return;
  if (type === BAROMETER) {
    values.reading('bar_absolute', 'surface_air_pressure', record.bar_absolute, 'inHg');
    values.reading('bar_sea_level', 'air_pressure_at_mean_sea_level', record.bar_sea_level, 'inHg');
  }
  const transmitter = transmitterOf(record);
  const prefix = prefixOf(transmitter);
  for (const [field, value] of Object.entries(record))
    if (!IGNORED.has(field))
      values.field(`${prefix}${field}`, value, /^temp_(?:in|[1-4])$/.test(field) ? '°F' : undefined);
  if (type === SOIL) sensors.push(...stateOf(record, 'soil'));
}

function stateOf(record: JsonObject, kind: string): SensorState[] {
  const [flag, transmitter] = [numberAt(record, 'trans_battery_flag'), transmitterOf(record)];
  if (flag === undefined || !Number.isFinite(transmitter)) return [];
  return [{ sensor: `${kind} ${transmitter}`, isBatteryLow: flag !== 0 }];
}

/** The beginning of the names of the fields of a transmitter. */
function prefixOf(transmitter: number): string {
  return Number.isFinite(transmitter) ? `tx${transmitter}_` : '';
}

function typeOf(record: JsonObject): number {
  return numberAt(record, 'data_structure_type') ?? Number.NaN;
}

/** Infinity if the record has no number of a transmitter. */
function transmitterOf(record: JsonObject): number {
  return numberAt(record, 'txid') ?? Infinity;
}
