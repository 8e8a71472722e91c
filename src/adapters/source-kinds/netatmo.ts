import type {
  SensorState,
  SourceDevice,
  SourceKind,
  SourceReply,
  SourceReport,
  Span,
} from '#application/ports/source-kind.js';
import { SourceFailure } from '#domain/sources/source-failure.js';
import { MILLISECONDS } from '#domain/time.js';
import {
  arrayAt,
  isObject,
  type JsonObject,
  memberOf,
  numberAt,
  numberIn,
  parsed,
  textAt,
  timeIn,
} from './reading/json-values.js';
import { ReportValues } from './reading/report-values.js';

// Source: Netatmo Connect, Weather API (https://dev.netatmo.com/apidocumentation/weather). The rain of `sum_rain_24` begins at midnight;
// the integration of Home Assistant (https://github.com/home-assistant/core) shows it as the precipitation of today.

const NAME = 'netatmo';
const SERVICE = 'https://api.netatmo.com';
/** Statuses of replies that have an error as JSON. */
const ERRORS = [400, 401, 403, 404];
/** Codes of errors: the access token is not valid, or has expired; the limit of requests is reached. */
const [INVALID_TOKEN, EXPIRED_TOKEN, LIMIT_REACHED] = [2, 3, 26];
/** Seconds until the next request after the limit, if the service names none. The limits are 50 in 10 s and 500 in an hour. */
const LIMIT_PAUSE = 600;
/** An access token is not used in the last part of its validity, in milliseconds. */
const TOKEN_MARGIN = MILLISECONDS.minute;
/** Validity of an access token in seconds, if the service names none. */
const DEFAULT_VALIDITY = 3 * 3600;
/** Largest number of access tokens that are remembered. */
const MAX_TOKENS = 64;
/** Age, compared with the newest module, from which the values of a module are old, in milliseconds. */
const MAX_AGE = 30 * MILLISECONDS.minute;
/** The longest span of one request. The service returns 1024 values at most, and a module measures every 5 minutes. */
const MAX_SPAN = 3 * MILLISECONDS.day;

/**
 * A value of a module: its name in `dashboard_data`, its name in a request for the past, its variable (undefined for a field), its unit.
 */
type Value = readonly [
  name: string,
  type: string | undefined,
  variable: string | undefined,
  unit: string | undefined,
];

const INDOOR: readonly Value[] = [
  ['Temperature', 'temperature', undefined, '°C'],
  ['Humidity', 'humidity', undefined, '%'],
  ['CO2', 'co2', undefined, 'ppm'],
  ['Noise', 'noise', undefined, undefined],
];
/** Values by type of module. */
const MODULES: Readonly<Record<string, readonly Value[]>> = {
  NAMain: [
    ...INDOOR,
    ['Pressure', 'pressure', 'air_pressure_at_mean_sea_level', 'mbar'],
    ['AbsolutePressure', undefined, 'surface_air_pressure', 'mbar'],
  ],
  NAModule1: [
    ['Temperature', 'temperature', 'air_temperature', undefined],
    ['Humidity', 'humidity', 'relative_humidity', undefined],
  ],
  NAModule2: [
    ['WindStrength', 'windstrength', 'wind_speed', 'km/h'],
    ['WindAngle', 'windangle', 'wind_from_direction', undefined],
    ['GustStrength', 'guststrength', 'wind_speed_of_gust', 'km/h'],
    ['GustAngle', 'gustangle', 'wind_gust_from_direction', undefined],
  ],
  NAModule3: [],
  NAModule4: INDOOR,
};
const RAIN = 'NAModule3';
/** Names of fields begin with these words. Rooms other than that of the station have the identifier of their module. */
const PREFIXES: Readonly<Record<string, string>> = {
  NAMain: 'indoor',
  NAModule1: 'outdoor',
  NAModule2: 'wind',
};

/** A module of a station, or the station itself. */
interface Module {
  readonly id: string;
  readonly type: string;
  readonly sent: JsonObject;
}

interface AccessToken {
  readonly value: string;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly endsAt: number;
}

/**
 * Creates the kind for stations of Netatmo.
 *
 * The service replaces the refresh token at each use. A new refresh token is stored before the access token that came with it is used,
 * because the old refresh token ends with that use. So a crash at any time leaves a refresh token that is valid.
 */
export function createNetatmo(): SourceKind {
  /** Access tokens by the refresh token that came with them. They are only in memory, and end after three hours. */
  const tokens = new Map<string, AccessToken>();

  async function accessToken(device: SourceDevice): Promise<string> {
    const refresh = device.secrets['refresh-token'] ?? '';
    const known = tokens.get(refresh);
    if (known !== undefined && device.now() < known.endsAt - TOKEN_MARGIN) return known.value;
    const { access, refresh: next, validity } = await refreshTokens(device, refresh);
    if (next !== refresh) await device.keep({ 'refresh-token': next });
    tokens.delete(refresh);
    tokens.set(next, { value: access, endsAt: device.now() + validity * MILLISECONDS.second });
    for (const oldest of tokens.keys()) {
      if (tokens.size <= MAX_TOKENS) break;
      tokens.delete(oldest);
    }
    return access;
  }

  /** Sends a request with an access token. A token that the service does not accept any more is replaced once. */
  async function call(
    device: SourceDevice,
    path: string,
    query: Readonly<Record<string, string>>,
    isRepeated = false,
  ): Promise<unknown> {
    const token = await accessToken(device);
    const url = `${baseOf(device)}/api/${path}?${new URLSearchParams(query).toString()}`;
    const reply = await device.fetch({ url, headers: { authorization: `Bearer ${token}` }, accepts: ERRORS });
    if (reply.status < 300) return memberOf(reply.json(), 'body');
    const error = memberOf(parsed(reply.text), 'error');
    const code = numberAt(error, 'code');
    if (!isRepeated && (code === EXPIRED_TOKEN || code === INVALID_TOKEN)) {
      tokens.delete(device.secrets['refresh-token'] ?? '');
      return await call(device, path, query, true);
    }
    throw failureOf(reply, error, code);
  }

  async function stationOf(device: SourceDevice): Promise<readonly Module[]> {
    const body = await call(device, 'getstationsdata', { get_favorites: 'false' });
    if (!isObject(body) || !Array.isArray(body.devices))
      throw new SourceFailure('The reply is not one of Netatmo: check the base URL.');
    const stations = body.devices.filter(isObject);
    const { account } = device;
    const found = stations.filter(
      (station) => account === undefined || textAt(station, '_id')?.toLowerCase() === account.toLowerCase(),
    );
    const [station] = found;
    if (station === undefined || found.length > 1) {
      const list = stations
        .map((one) => `${textAt(one, '_id') ?? ''} (${textAt(one, 'station_name') ?? 'without a name'})`)
        .join(', ');
      throw new SourceFailure(
        `${account === undefined ? 'The account has several stations or none, so the account of the source must name one' : `The account has no station ${account}`}. ` +
          `Its stations: ${list === '' ? 'none' : list}.`,
        { needsOwner: true },
      );
    }
    return [station, ...arrayAt(station, 'modules').filter(isObject)].map((sent) => ({
      id: textAt(sent, '_id') ?? '',
      type: textAt(sent, 'type') ?? '',
      sent,
    }));
  }

  /** The measurements of a module in a span, by their time in milliseconds since 1970-01-01T00:00:00Z. */
  async function measurements(
    device: SourceDevice,
    station: string,
    module: string,
    types: readonly string[],
    { from, to }: Span,
  ): Promise<readonly (readonly [time: number, values: readonly unknown[]])[]> {
    const body = await call(device, 'getmeasure', {
      device_id: station,
      ...(module !== station && { module_id: module }),
      scale: 'max',
      type: types.join(','),
      date_begin: String(Math.floor(from / MILLISECONDS.second)),
      date_end: String(Math.ceil(to / MILLISECONDS.second)),
      optimize: 'false',
    });
    return Object.entries(isObject(body) ? body : {}).flatMap(([seconds, values]) => {
      const time = timeIn(Number(seconds));
      return time === undefined || !Array.isArray(values) ? [] : [[time, values as unknown[]] as const];
    });
  }

  /**
   * The rain between the last report of a day and midnight, when the counter of the gauge begins again. No later value of the counter
   * has it. A longer silence is a gap, whose measurements are asked for anyway.
   */
  async function rainBeforeMidnight(
    device: SourceDevice,
    modules: readonly Module[],
    now: number,
  ): Promise<readonly SourceReport[]> {
    const { since } = device;
    const [station, gauge] = [modules[0], modules.find(({ type }) => type === RAIN)];
    if (since === undefined || station === undefined || gauge === undefined || now - since > MAX_AGE)
      return [];
    // The local date is that of UTC, or a day before or after it.
    const midnight = [-1, 0, 1]
      .map((days) => new Date(now + days * MILLISECONDS.day).toISOString().slice(0, 10))
      .map((date) => device.instant(`${date}T00:00:00`))
      .find((time) => time > since && time <= now);
    if (midnight === undefined) return [];
    const found = await measurements(device, station.id, gauge.id, ['rain'], { from: since, to: midnight });
    return found
      .filter(([time]) => time > since && time < midnight)
      .map(([time, [amount]]) => {
        const values = new ReportValues();
        values.reading('Rain', 'precipitation_amount', amount);
        return { time, readings: values.readings };
      });
  }

  /** Reports of the past. Each module has its own times. */
  async function past(device: SourceDevice, { from, to }: Span): Promise<SourceReport[]> {
    const modules = await stationOf(device);
    const station = modules[0]?.id ?? '';
    const reports = new Map<number, ReportValues>();
    for (const module of modules) {
      const values: readonly Value[] =
        module.type === RAIN
          ? [['Rain', 'rain', 'precipitation_amount', undefined]]
          : (MODULES[module.type] ?? []);
      const types = values.filter(([, type]) => type !== undefined);
      if (types.length === 0) continue;
      const measured = await measurements(
        device,
        station,
        module.id,
        types.map(([, type]) => type as string),
        { from, to },
      );
      for (const [time, sent] of measured) {
        const report = reports.get(time) ?? new ReportValues();
        reports.set(time, report);
        for (const [index, value] of types.entries()) put(report, module, value, sent[index]);
      }
    }
    return [...reports]
      .map(([time, { readings, fields }]) => ({ time, readings, fields }))
      .toSorted((a, b) => a.time - b.time);
  }

  return {
    name: NAME,
    title: 'Netatmo, service',
    reach: 'public',
    // The station sends its values to the service every 10 minutes.
    shortestInterval: 300,
    longestInterval: 600,
    settings: { account: false, url: false },
    secrets: { 'client-id': true, 'client-secret': true, 'refresh-token': true },
    history: { longest: MAX_SPAN },
    ask: async (device, span) => {
      if (span !== undefined) return await past(device, span);
      const modules = await stationOf(device);
      const report = newest(modules);
      return [...(await rainBeforeMidnight(device, modules, report.time)), report];
    },
  };
}

export const netatmo: SourceKind = createNetatmo();

function baseOf({ url }: SourceDevice): string {
  return (url ?? SERVICE).replace(/\/$/, '');
}

/** Gets new tokens. @throws SourceFailure */
async function refreshTokens(
  device: SourceDevice,
  refresh: string,
): Promise<{ readonly access: string; readonly refresh: string; readonly validity: number }> {
  const { 'client-id': id = '', 'client-secret': secret = '' } = device.secrets;
  const form = { grant_type: 'refresh_token', refresh_token: refresh, client_id: id, client_secret: secret };
  const reply = await device.fetch({
    url: `${baseOf(device)}/oauth2/token`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
    accepts: ERRORS,
  });
  const body = reply.status < 300 ? reply.json() : parsed(reply.text);
  const [access, next] = [memberOf(body, 'access_token'), memberOf(body, 'refresh_token')];
  if (reply.status < 300 && typeof access === 'string')
    return {
      access,
      refresh: typeof next === 'string' ? next : refresh,
      validity: numberAt(body, 'expires_in') ?? DEFAULT_VALIDITY,
    };
  switch (textAt(body, 'error')) {
    case 'invalid_grant':
      throw new SourceFailure(
        'Netatmo does not accept the refresh token any more: create a new one, and store it as a secret of the source.',
        { needsOwner: true },
      );
    case 'invalid_client':
      throw new SourceFailure('Netatmo does not know the client id with this client secret.', {
        needsOwner: true,
      });
    default:
      throw failureOf(reply, memberOf(body, 'error'), numberAt(memberOf(body, 'error'), 'code'));
  }
}

function failureOf(reply: SourceReply, error: unknown, code: number | undefined): SourceFailure {
  if (code === LIMIT_REACHED) {
    const wait = Number(reply.headers['retry-after']);
    return new SourceFailure('Netatmo allows no more requests for now (26).', {
      retryAfter: wait > 0 ? wait : LIMIT_PAUSE,
    });
  }
  const message = textAt(error, 'message');
  const number = code === undefined ? '' : ` (${code})`;
  return new SourceFailure(
    message === undefined
      ? `Netatmo answered with status ${reply.status}${number}.`
      : `Netatmo refused the request: ${message}${number}.`,
    { needsOwner: [401, 403, 404].includes(reply.status) },
  );
}

/** The newest values of all modules, as one report. A module that is not reachable has no `dashboard_data`. */
function newest(modules: readonly Module[]): SourceReport & { readonly time: number } {
  const measured = modules.flatMap((module) => {
    const data = module.sent.reachable === false ? undefined : memberOf(module.sent, 'dashboard_data');
    const time = timeIn(memberOf(data, 'time_utc'));
    return time === undefined || !isObject(data) ? [] : [{ module, data, time }];
  });
  if (measured.length === 0)
    throw new SourceFailure('Netatmo has no new values: the station is not reachable.');
  const time = Math.max(...measured.map((one) => one.time));
  const values = new ReportValues();
  let hasGauge = false;
  for (const { module, data, time: own } of measured) {
    if (time - own > MAX_AGE) continue;
    for (const value of MODULES[module.type] ?? []) put(values, module, value, data[value[0]]);
    if (module.type !== RAIN || hasGauge) continue;
    hasGauge = true;
    values.counter('day', data.sum_rain_24);
  }
  const sensors = modules.flatMap(({ id, type, sent }): SensorState[] => {
    const [batteryPercent, voltage] = [numberAt(sent, 'battery_percent'), numberAt(sent, 'battery_vp')];
    if (batteryPercent === undefined || sent.reachable === false) return [];
    return [
      {
        sensor: textAt(sent, 'module_name') ?? `${type} ${id}`,
        batteryPercent,
        // In millivolts.
        ...(voltage !== undefined && { batteryVoltage: voltage / 1000 }),
      },
    ];
  });
  return { time, readings: values.readings, counters: values.counters, fields: values.fields, sensors };
}

function put(values: ReportValues, { id, type }: Module, value: Value, sent: unknown): void {
  const [name, , variable, unit] = value;
  const number = numberIn(sent);
  // Without wind the direction is -1.
  if (number === undefined || (name.endsWith('Angle') && number < 0)) return;
  const field = `${PREFIXES[type] ?? id}_${name}`;
  if (variable === undefined) values.field(field, number, unit);
  else values.reading(field, variable, number, unit);
}
