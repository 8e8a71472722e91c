import { httpDevice, type DeviceReply, type HttpDevice, type Made, made } from './http-device.js';

export const KEYS = { 'application-key': 'APP', 'api-key': 'KEY' };
export const MAC = 'FF:FF:FF:FF:FF:FF';
/** 2026-11-27T11:59:00Z, in seconds. */
export const NEWEST = 1_795_780_740;

const metric = (value: string, unit: string, time = NEWEST) => ({ time: String(time), unit, value });

/** Values of now. The air sensor has been silent for an hour. */
export const REAL_TIME = {
  outdoor: {
    temperature: metric('9.3', '℃'),
    feels_like: metric('8.8', '℃'),
    dew_point: metric('4.1', '℃'),
    humidity: metric('70', '%'),
  },
  indoor: { temperature: metric('21.5', '℃'), humidity: metric('45', '%') },
  solar_and_uvi: { solar: metric('12.5', 'W/m²'), uvi: metric('1', '') },
  rainfall: {
    rain_rate: metric('0.4', 'mm/hr'),
    event: metric('1.0', 'mm'),
    '1_hour': metric('0.2', 'mm'),
    daily: metric('1.2', 'mm'),
    weekly: metric('3.4', 'mm'),
    monthly: metric('20.1', 'mm'),
    yearly: metric('512.0', 'mm'),
  },
  rainfall_piezo: { rain_rate: metric('0.0', 'mm/hr'), daily: metric('0.9', 'mm'), state: metric('0', '') },
  wind: {
    wind_speed: metric('2.1', 'm/s'),
    wind_gust: metric('3.3', 'm/s', NEWEST - 60),
    wind_direction: metric('212', 'º'),
  },
  pressure: { relative: metric('1010.1', 'hPa'), absolute: metric('980.2', 'hPa') },
  lightning: { distance: metric('8', 'km'), count: metric('2', '') },
  pm25_ch1: { pm25: metric('7', 'µg/m3', NEWEST - 3600) },
  temp_and_humidity_ch1: { temperature: metric('11.5', '℃') },
  battery: { t_rh_p_sensor: metric('0', ''), haptic_array_battery: metric('3.22', 'V') },
};

interface CloudOptions {
  readonly data?: Made<unknown>;
  /** The past, in place of `data`. */
  readonly past?: Made<unknown>;
  readonly reply?: DeviceReply;
}

/** The cloud of Ecowitt: it knows one device, and one pair of keys. */
export async function ecowittCloudService({
  data,
  past = data,
  reply,
}: CloudOptions = {}): Promise<HttpDevice> {
  return await httpDevice(({ path }) => {
    const { pathname, searchParams: query } = new URL(path, 'http://cloud');
    if (!pathname.startsWith('/api/v3/device/')) return undefined;
    if (reply !== undefined) return reply;
    const refuse = (code: number, msg: string) => ({ body: { code, msg, time: '1795780800', data: [] } });
    if (query.get('application_key') !== KEYS['application-key'])
      return refuse(40_010, 'Illegal Application_Key Parameter');
    if (query.get('api_key') !== KEYS['api-key']) return refuse(40_011, 'Illegal Api_Key Parameter');
    if (query.get('mac') !== MAC) return refuse(40_012, 'Illegal MAC\u001b[31m Parameter');
    return {
      body: {
        code: 0,
        msg: 'success',
        time: '1795780800',
        data: made(pathname.endsWith('/history') ? past : data) ?? REAL_TIME,
      },
    };
  });
}
