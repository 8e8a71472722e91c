import { type DeviceReply, type HttpDevice, httpDevice, type Made, made } from './http-device.js';

/** 2026-11-27T11:55:00Z, the time of the newest values of the station. */
export const MEASURED = Date.UTC(2026, 10, 27, 11, 55) / 1000;
/** Identifiers of the modules. */
export const IDS = {
  outdoor: '02:00:00:00:00:01',
  wind: '06:00:00:00:00:01',
  rain: '05:00:00:00:00:01',
  room: '03:00:00:00:00:01',
} as const;
export const STATION = '70:ee:50:00:00:01';
export const CLIENT = { 'client-id': 'client', 'client-secret': 'client-secret' };

type Sent = Readonly<Record<string, unknown>>;

export const OUTDOOR: Sent = {
  _id: IDS.outdoor,
  type: 'NAModule1',
  module_name: 'Garden',
  reachable: true,
  battery_percent: 79,
  battery_vp: 5613,
  rf_status: 79,
  dashboard_data: {
    time_utc: MEASURED - 20,
    Temperature: 4.2,
    Humidity: 88,
    temp_trend: 'stable',
    min_temp: 1,
  },
};
export const WIND: Sent = {
  _id: IDS.wind,
  type: 'NAModule2',
  module_name: 'Roof',
  reachable: true,
  battery_percent: 55,
  dashboard_data: {
    time_utc: MEASURED - 10,
    WindStrength: 9,
    WindAngle: 225,
    GustStrength: 18,
    GustAngle: 240,
    max_wind_str: 30,
  },
};
export const RAIN: Sent = {
  _id: IDS.rain,
  type: 'NAModule3',
  module_name: 'Gauge',
  reachable: true,
  battery_percent: 90,
  dashboard_data: { time_utc: MEASURED - 15, Rain: 0.101, sum_rain_1: 0.2, sum_rain_24: 3.6 },
};
export const ROOM: Sent = {
  _id: IDS.room,
  type: 'NAModule4',
  module_name: 'Bedroom',
  reachable: false,
  battery_percent: 3,
};

/** A station with its modules. */
export function station(modules: readonly unknown[] = [OUTDOOR, WIND, RAIN, ROOM], more: Sent = {}): Sent {
  return {
    _id: STATION,
    type: 'NAMain',
    station_name: 'Home',
    module_name: 'Living room',
    wifi_status: 56,
    reachable: true,
    dashboard_data: {
      time_utc: MEASURED,
      Temperature: 21.4,
      Humidity: 47,
      CO2: 612,
      Noise: 38,
      Pressure: 1021.3,
      AbsolutePressure: 1004.9,
      pressure_trend: 'up',
    },
    modules,
    ...more,
  };
}

/** A simulated service. It accepts a refresh token until the access token that replaced it is used. */
export interface NetatmoService extends HttpDevice {
  /** The refresh tokens that the service accepts now. */
  readonly accepted: ReadonlySet<string>;
  /** Ends all access tokens, as the service does after three hours. */
  expireTokens(): void;
  /** Replaces the replies of the API, but not those of the tokens. */
  answer(reply: DeviceReply | undefined): void;
  /** Replaces the replies of the tokens. */
  answerTokens(reply: DeviceReply | undefined): void;
}

/** @param options.measures for `getmeasure`: by module, values by seconds since 1970-01-01T00:00:00Z */
export async function netatmoService({
  stations = [station()],
  refreshToken = 'refresh-0',
  measures = {},
}: {
  readonly stations?: Made<readonly unknown[]>;
  readonly refreshToken?: string;
  readonly measures?: Made<Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>>;
} = {}): Promise<NetatmoService> {
  const accepted = new Set([refreshToken]);
  /** The refresh tokens that end when an access token is used, by access token. */
  const replaced = new Map<string, string>();
  let count = 0;
  let fixed: DeviceReply | undefined;
  let fixedTokens: DeviceReply | undefined;
  const refuse = (code: number, message: string, status = 403): DeviceReply => ({
    status,
    body: { error: { code, message } },
  });
  const token = (body: string): DeviceReply => {
    if (fixedTokens !== undefined) return fixedTokens;
    const form = new URLSearchParams(body);
    if (
      form.get('client_id') !== CLIENT['client-id'] ||
      form.get('client_secret') !== CLIENT['client-secret']
    )
      return { status: 400, body: { error: 'invalid_client' } };
    const given = form.get('refresh_token') ?? '';
    if (form.get('grant_type') !== 'refresh_token' || !accepted.has(given))
      return { status: 400, body: { error: 'invalid_grant' } };
    count += 1;
    const [access, next] = [`access-${count}`, `refresh-${count}`];
    replaced.set(access, given);
    accepted.add(next);
    return {
      body: { access_token: access, refresh_token: next, expires_in: 10_800, scope: ['read_station'] },
    };
  };
  const service = await httpDevice(({ path, method, headers, body }) => {
    const { pathname, searchParams } = new URL(path, 'http://service');
    if (pathname === '/oauth2/token' && method === 'POST') return token(body);
    const access = headers.authorization?.replace('Bearer ', '') ?? '';
    const old = replaced.get(access);
    if (old === undefined) return refuse(3, 'Access token expired');
    accepted.delete(old);
    if (fixed !== undefined) return fixed;
    if (pathname === '/api/getstationsdata')
      return { body: { status: 'ok', body: { devices: made(stations) } } };
    if (pathname !== '/api/getmeasure') return undefined;
    if (searchParams.get('device_id') !== STATION || searchParams.get('scale') !== 'max')
      return refuse(9, 'Device not found', 404);
    const found = made(measures)[searchParams.get('module_id') ?? STATION] ?? {};
    const [from, to] = [Number(searchParams.get('date_begin')), Number(searchParams.get('date_end'))];
    const inSpan = Object.entries(found).filter(([time]) => Number(time) >= from && Number(time) <= to);
    // The service sends an empty array in place of an empty object.
    return { body: { status: 'ok', body: inSpan.length === 0 ? [] : Object.fromEntries(inSpan) } };
  });
  return {
    ...service,
    accepted,
    expireTokens: () => replaced.clear(),
    answer: (reply) => {
      fixed = reply;
    },
    answerTokens: (reply) => {
      fixedTokens = reply;
    },
  };
}
