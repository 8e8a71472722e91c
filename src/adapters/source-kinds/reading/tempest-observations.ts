import type { SourceDevice, SourceReport } from '#application/ports/source-kind.js';
import { SourceFailure } from '#domain/sources/source-failure.js';
import { MILLISECONDS } from '#domain/time.js';
import { arrayAt, memberOf, numberAt, numberIn, parsed, textAt, timeIn } from './json-values.js';
import { ReportValues } from './report-values.js';

// Sources: WeatherFlow Tempest UDP Reference v171 and Tempest API (https://apidocs.tempestwx.com). The observations of the hub and of
// the service are the same arrays, by type: `obs_st` of a Tempest, `obs_air` and `obs_sky` of the older Air and Sky.

/** Base URL of the service. */
const SERVICE = 'https://swd.weatherflow.com';
/** The longest span that the service returns with all observations; in longer spans several are combined. In milliseconds. */
export const MAX_SPAN = MILLISECONDS.day;

/** Type of precipitation that is not rain. */
const HAIL = 2;
/** Bits of `sensor_status` that mean that a sensor has failed. */
const FAILED = {
  lightning: 1,
  pressure: 8,
  temperature: 16,
  humidity: 32,
  wind: 64,
  rain: 128,
  light: 256,
} as const;
type Sensor = keyof typeof FAILED;

/** A value of an observation: its name, its variable (undefined for a field), its unit and the sensor that measures it. */
type Value = readonly [name: string, variable: string | undefined, unit: string | undefined, sensor: Sensor];

const PRESSURE: Value = ['station_pressure', 'surface_air_pressure', 'mbar', 'pressure'];
const TEMPERATURE: Value = ['air_temperature', 'air_temperature', undefined, 'temperature'];
const HUMIDITY: Value = ['relative_humidity', 'relative_humidity', undefined, 'humidity'];
const LULL: Value = ['wind_lull', undefined, 'm/s', 'wind'];
const WIND: Value = ['wind_avg', 'wind_speed', undefined, 'wind'];
const GUST: Value = ['wind_gust', 'wind_speed_of_gust', undefined, 'wind'];
const DIRECTION: Value = ['wind_direction', 'wind_from_direction', undefined, 'wind'];
const ILLUMINANCE: Value = ['illuminance', undefined, 'lx', 'light'];
const UV: Value = ['uv', 'ultraviolet_index', undefined, 'light'];
const RADIATION: Value = ['solar_radiation', 'surface_downwelling_shortwave_flux_in_air', undefined, 'light'];
const STRIKES: Value = ['lightning_strike_count', 'lightning_strike_count', undefined, 'lightning'];
const DISTANCE: Value = ['lightning_strike_avg_distance', undefined, 'km', 'lightning'];

/** The elements of the array of an observation. The first one is the time in seconds since 1970-01-01T00:00:00Z. */
interface Layout {
  readonly values: Readonly<Record<number, Value>>;
  /** Rain of the interval in mm, and the type of precipitation. */
  readonly rain?: readonly [amount: number, type: number];
  /** Voltage of the battery. */
  readonly battery: number;
}

const LAYOUTS: Readonly<Record<string, Layout>> = {
  obs_st: {
    values: {
      1: LULL,
      2: WIND,
      3: GUST,
      4: DIRECTION,
      6: PRESSURE,
      7: TEMPERATURE,
      8: HUMIDITY,
      9: ILLUMINANCE,
      10: UV,
      11: RADIATION,
      14: DISTANCE,
      15: STRIKES,
    },
    rain: [12, 13],
    battery: 16,
  },
  obs_air: {
    values: { 1: PRESSURE, 2: TEMPERATURE, 3: HUMIDITY, 4: STRIKES, 5: DISTANCE },
    battery: 6,
  },
  obs_sky: {
    values: { 1: ILLUMINANCE, 2: UV, 4: LULL, 5: WIND, 6: GUST, 7: DIRECTION, 10: RADIATION },
    rain: [3, 12],
    battery: 8,
  },
};

/** What else is known of the device when it sends an observation. */
export interface DeviceStatus {
  /** Serial number, or number at the service. */
  readonly sensor: string;
  /** Strength of the signal in dBm. */
  readonly signal?: number | undefined;
  /** Bit field of sensors that have failed. */
  readonly failed?: number | undefined;
}

/** Whether a message or a reply has observations. */
export function hasObservations(sent: unknown): boolean {
  return Object.hasOwn(LAYOUTS, textAt(sent, 'type') ?? '');
}

/** Reads the observations of a message or a reply, the oldest first. Observations without a time are left out. */
export function readObservations(sent: unknown, status: DeviceStatus): SourceReport[] {
  const layout = hasObservations(sent) ? LAYOUTS[textAt(sent, 'type') ?? ''] : undefined;
  if (layout === undefined) return [];
  return arrayAt(sent, 'obs')
    .flatMap((observation) => {
      const [first] = Array.isArray(observation) ? (observation as readonly unknown[]) : [];
      const time = timeIn(first);
      return time === undefined ? [] : [reportOf(observation as readonly unknown[], time, layout, status)];
    })
    .toSorted((a, b) => a.time - b.time);
}

function reportOf(observation: readonly unknown[], time: number, layout: Layout, status: DeviceStatus) {
  const values = new ReportValues();
  const hasFailed = (sensor: Sensor) => ((status.failed ?? 0) & FAILED[sensor]) !== 0;
  for (const [index, [name, variable, unit, sensor]] of Object.entries(layout.values)) {
    const value = observation[Number(index)];
    // The value of a sensor that has failed is a field, which the owner can see but which is not stored.
    if (variable === undefined || hasFailed(sensor)) values.field(name, value, unit);
    else values.reading(name, variable, value, unit);
  }
  if (layout.rain !== undefined) {
    const [amount, type] = layout.rain.map((index) => observation[index]);
    // Hail strikes the sensor harder than rain, so its amount says nothing about water.
    if (type === HAIL) values.field('hail', amount, 'mm');
    else if (hasFailed('rain')) values.field('rain', amount, 'mm');
    else values.reading('rain', 'precipitation_amount', amount);
  }
  const batteryVoltage = numberIn(observation[layout.battery]);
  const { sensor, signal } = status;
  const hasState = batteryVoltage !== undefined || signal !== undefined;
  const state = {
    sensor,
    ...(batteryVoltage !== undefined && { batteryVoltage }),
    ...(signal !== undefined && { signal }),
  };
  return {
    time,
    readings: values.readings,
    fields: values.fields,
    sensors: hasState ? [state] : [],
  };
}

/**
 * Asks the service for the observations of a device.
 *
 * @param account number of the device
 * @param span in milliseconds since 1970-01-01T00:00:00Z, at most `MAX_SPAN`; undefined for the newest observation
 * @throws SourceFailure
 */
export async function askService(
  device: SourceDevice,
  account: string,
  span: { readonly from: number; readonly to: number } | undefined,
): Promise<SourceReport[]> {
  const seconds = (time: number) => String(Math.floor(time / MILLISECONDS.second));
  const body = await requestService(device, `observations/device/${encodeURIComponent(account)}`, {
    ...(span !== undefined && { time_start: seconds(span.from), time_end: seconds(span.to) }),
  });
  if (!hasObservations(body))
    throw new SourceFailure(
      `The service has no weather observations of the device ${account}, because it is another device, for example a hub.`,
      { needsOwner: true },
    );
  return readObservations(body, { sensor: account });
}

/** The number at the service of the device with a serial number; without one, of the only device. @throws SourceFailure */
export async function numberOfDevice(device: SourceDevice, serial: string | undefined): Promise<string> {
  const body = await requestService(device, 'stations', {});
  const devices = arrayAt(body, 'stations')
    .flatMap((station) => arrayAt(station, 'devices'))
    .flatMap((one) => {
      const [number, serialNumber] = [numberAt(one, 'device_id'), textAt(one, 'serial_number')];
      const isHub = textAt(one, 'device_type') === 'HB';
      return number === undefined || serialNumber === undefined || isHub ? [] : [{ number, serialNumber }];
    });
  const found = devices.filter(({ serialNumber }) => serial === undefined || serialNumber === serial);
  const [first] = found;
  if (first !== undefined && found.length === 1) return String(first.number);
  const names = devices.map(({ number, serialNumber }) => `${serialNumber} (${number})`).join(', ') || 'none';
  throw new SourceFailure(
    `${serial === undefined ? 'It is not clear which device to ask for' : `The token has no device ${serial}`}. ` +
      `The devices of the token: ${names}.`,
    { needsOwner: true },
  );
}

async function requestService(
  device: SourceDevice,
  path: string,
  query: Readonly<Record<string, string>>,
): Promise<unknown> {
  const parameters = new URLSearchParams({ ...query, token: device.secrets.token ?? '' });
  const reply = await device.fetch({
    url: `${(device.url ?? SERVICE).replace(/\/$/, '')}/swd/rest/${path}?${parameters.toString()}`,
    accepts: [400, 401, 403, 404],
  });
  const body = reply.status < 300 ? reply.json() : parsed(reply.text);
  const status = memberOf(body, 'status');
  const code = numberAt(status, 'status_code') ?? 0;
  if (reply.status < 300 && code === 0) return body;
  const isToken = [401, 403].includes(reply.status) || [401, 403].includes(code);
  const sentence = isToken
    ? 'The service refused the token'
    : 'The service does not have what was asked for: check the account';
  const message = textAt(status, 'status_message');
  throw new SourceFailure(
    `${sentence}${message === undefined ? ` (status ${reply.status})` : `: ${message}`}.`,
    { needsOwner: true },
  );
}
