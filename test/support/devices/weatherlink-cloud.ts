import { type DeviceReply, type HttpDevice, httpDevice, type Made, made } from './http-device.js';

/** 2019-05-24T23:52:07Z, the time of the newest records. */
export const NEWEST = 1_558_741_927;
export const STATION = '374964';
export const SECRETS = { 'api-key': 'key-of-a-test', 'api-secret': 'secret-of-a-test' };

type Sent = Readonly<Record<string, unknown>>;

/** Values of a transmitter of a WeatherLink Live. */
export const ISS: Sent = {
  ts: NEWEST,
  tx_id: 1,
  temp: 73.3,
  hum: 42.7,
  dew_point: 49.3,
  wet_bulb: 55.8,
  heat_index: 72.2,
  wind_chill: 73.3,
  thw_index: 72.2,
  thsw_index: 72.6,
  wind_speed_last: 4,
  wind_dir_last: 195,
  wind_speed_avg_last_1_min: 3.37,
  wind_dir_scalar_avg_last_1_min: 214,
  wind_speed_avg_last_2_min: 3.18,
  wind_dir_scalar_avg_last_2_min: 222,
  wind_speed_avg_last_10_min: 3.56,
  wind_dir_scalar_avg_last_10_min: 221,
  wind_speed_hi_last_2_min: 5,
  wind_dir_at_hi_speed_last_2_min: 225,
  wind_speed_hi_last_10_min: 6,
  wind_dir_at_hi_speed_last_10_min: 260,
  rain_size: 1,
  rain_rate_last_clicks: 0,
  rain_rate_last_in: 0,
  rain_rate_last_mm: 0.8,
  rain_rate_hi_mm: 2,
  rainfall_last_15_min_mm: 0,
  rain_storm_mm: 3,
  rain_storm_start_time: null,
  rain_storm_last_start_at: 1_558_428_061,
  rainfall_daily_clicks: 0,
  rainfall_daily_in: 0,
  rainfall_daily_mm: 1.016,
  rainfall_monthly_clicks: 117,
  rainfall_monthly_mm: 29.718,
  rainfall_year_mm: 29.718,
  solar_rad: 598,
  uv_index: 2.3,
};

export function sensor(type: number, ...data: readonly unknown[]): unknown {
  return { lsid: 5_271_270 + type, sensor_type: 45, data_structure_type: type, data };
}

const HEALTH = sensor(15, { ts: 1_565_656_200, battery_voltage: 70, wifi_rssi: -70, uptime: 5_376_092 });
const BAROMETER = {
  ts: NEWEST,
  bar_absolute: 29.515,
  bar_sea_level: 29.61,
  bar_offset: -0.001,
  bar_trend: -0.063,
};
const ROOM = { ts: NEWEST, temp_in: 75.1, hum_in: 40, dew_point_in: 49, heat_index_in: 75 };
export const SENSORS: readonly unknown[] = [HEALTH, sensor(10, ISS), sensor(12, BAROMETER), sensor(12, ROOM)];

/** An archive record of a transmitter, at the end of an interval of 5 minutes. */
export function archived(minute: number, rain: number): Sent {
  return {
    ts: NEWEST + minute * 60,
    tx_id: 1,
    arch_int: 300,
    temp_last: 70.7,
    temp_avg: 70.5,
    temp_hi: 71,
    temp_hi_at: NEWEST,
    hum_last: 50,
    dew_point_last: 51,
    wind_speed_avg: 2,
    wind_dir_of_prevail: 9,
    wind_speed_hi: 7,
    wind_speed_hi_dir: 4,
    rainfall_mm: rain,
    rainfall_in: 0,
    rain_rate_hi_mm: 1,
    solar_rad_avg: 300,
    uv_index_avg: 1.5,
    trans_battery_flag: 0,
    reception: 98,
    rssi: -61,
  };
}

/** A simulated service with one station. `answer` replaces its replies. */
export interface WeatherlinkService extends HttpDevice {
  answer(reply: DeviceReply | undefined): void;
}

/** @param subscription `basic` is refused the past */
export async function weatherlinkService({
  sensors = SENSORS,
  past = [],
  subscription = 'pro',
}: {
  readonly sensors?: Made<readonly unknown[]>;
  readonly past?: Made<readonly unknown[]>;
  readonly subscription?: string;
} = {}): Promise<WeatherlinkService> {
  let fixed: DeviceReply | undefined;
  const refuse = (status: number, message: string): DeviceReply => ({
    status,
    body: { code: status, message },
  });
  const service = await httpDevice(({ path, headers }) => {
    const { pathname, searchParams } = new URL(path, 'http://service');
    if (fixed !== undefined && pathname !== '/v2/stations') return fixed;
    if (headers['x-api-secret'] === undefined)
      return refuse(401, 'API call timestamp parameter "t" is stale.');
    if (
      headers['x-api-secret'] !== SECRETS['api-secret'] ||
      searchParams.get('api-key') !== SECRETS['api-key']
    )
      return refuse(401, 'Invalid API Key or Secret.');
    if (pathname === '/v2/stations')
      return { body: { stations: [{ station_id: Number(STATION), station_name: 'Garden' }] } };
    if (pathname === `/v2/current/${STATION}`)
      return { body: { station_id: Number(STATION), sensors: made(sensors) } };
    if (pathname !== `/v2/historic/${STATION}`) return refuse(404, 'Station not found.');
    if (subscription === 'basic') return refuse(403, 'Historic data requires a subscription');
    const [from, to] = [
      Number(searchParams.get('start-timestamp')),
      Number(searchParams.get('end-timestamp')),
    ];
    if (!(from < to) || to - from > 86_400) return refuse(400, 'Bad time range.');
    return { body: { station_id: Number(STATION), sensors: made(past) } };
  });
  return {
    ...service,
    answer: (reply) => {
      fixed = reply;
    },
  };
}
