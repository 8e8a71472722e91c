import { type DeviceReply, type HttpDevice, httpDevice, type Made, made } from './http-device.js';

/** Identifier of the simulated device. */
export const DID = '001D0A700002';
/** 2018-07-16T15:13:25Z, the time of the replies. */
export const REPLY_TIME = 1_531_754_005_000;

type Condition = Readonly<Record<string, unknown>>;

/** The record of an ISS, as the device sends it. */
export const ISS: Condition = {
  lsid: 48_308,
  data_structure_type: 1,
  txid: 1,
  temp: 62.6,
  hum: 81.5,
  dew_point: 56.8,
  wet_bulb: null,
  heat_index: 62.5,
  wind_chill: 62.6,
  thw_index: 62.5,
  thsw_index: 61.5,
  wind_speed_last: 2,
  wind_dir_last: 240,
  wind_speed_avg_last_1_min: 4,
  wind_dir_scalar_avg_last_1_min: 15,
  wind_speed_avg_last_2_min: 5,
  wind_dir_scalar_avg_last_2_min: 170,
  wind_speed_hi_last_2_min: 8,
  wind_dir_at_hi_speed_last_2_min: 0,
  wind_speed_avg_last_10_min: 4.2,
  wind_dir_scalar_avg_last_10_min: 4,
  wind_speed_hi_last_10_min: 10,
  wind_dir_at_hi_speed_last_10_min: 260,
  rain_size: 2,
  rain_rate_last: 3,
  rain_rate_hi: 4,
  rainfall_last_15_min: 0,
  rain_rate_hi_last_15_min: 0,
  rainfall_last_60_min: 2,
  rainfall_last_24_hr: 5,
  rain_storm: 5,
  rain_storm_start_at: 1_531_700_000,
  solar_rad: 747,
  uv_index: 5.5,
  rx_state: 0,
  trans_battery_flag: 0,
  rainfall_daily: 63,
  rainfall_monthly: 64,
  rainfall_year: 656,
  rain_storm_last: null,
  rain_storm_last_start_at: null,
  rain_storm_last_end_at: null,
};
export const SOIL: Condition = {
  lsid: 3187,
  data_structure_type: 2,
  txid: 3,
  temp_1: 68.5,
  temp_2: null,
  moist_soil_1: 25,
  wet_leaf_1: 4,
  rx_state: 1,
  trans_battery_flag: 1,
};
export const BAROMETER: Condition = {
  lsid: 48_307,
  data_structure_type: 3,
  bar_sea_level: 30.008,
  bar_trend: -0.02,
  bar_absolute: 29.908,
};
export const INDOOR: Condition = {
  lsid: 48_306,
  data_structure_type: 4,
  temp_in: 78,
  hum_in: 41.1,
  dew_point_in: 51.8,
  heat_index_in: 77.9,
};

/** The reply to a request for the current conditions. */
export function conditions(
  records: readonly unknown[] = [ISS, SOIL, BAROMETER, INDOOR],
  { ts = REPLY_TIME / 1000 }: { ts?: unknown } = {},
): unknown {
  return { data: { did: DID, ts, conditions: records }, error: null };
}

/** A datagram with the wind of a transmitter. */
export function broadcast(
  speed: unknown,
  direction: unknown,
  { did = DID, txid = 1 }: { did?: unknown; txid?: unknown } = {},
): unknown {
  const record = {
    lsid: 48_308,
    data_structure_type: 1,
    txid,
    wind_speed_last: speed,
    wind_dir_last: direction,
    rain_size: 2,
    rain_rate_last: 0,
    rainfall_daily: 63,
    rainfall_monthly: 63,
    rainfall_year: 63,
    wind_speed_hi_last_10_min: null,
    wind_dir_at_hi_speed_last_10_min: null,
  };
  return { did, ts: REPLY_TIME / 1000, conditions: [record] };
}

/** A simulated WeatherLink Live. `answer` replaces its replies. */
export interface WeatherlinkLiveDevice extends HttpDevice {
  answer(reply: DeviceReply): void;
}

export async function weatherlinkLiveDevice(
  body: Made<unknown> = conditions(),
): Promise<WeatherlinkLiveDevice> {
  let reply: DeviceReply | undefined;
  const device = await httpDevice(({ path }) => {
    if (path === '/v1/current_conditions') return reply ?? { body: made(body) };
    if (path.startsWith('/v1/real_time?duration='))
      return { body: { data: { broadcast_port: 22_222, duration: Number(path.slice(23)) }, error: null } };
    return undefined;
  });
  return {
    ...device,
    answer: (other) => {
      reply = other;
    },
  };
}
