import { type DeviceReply, type HttpDevice, httpDevice, type Made, made } from './http-device.js';

/** 2020-05-08T14:36:54Z, the time of the observation. */
export const OBSERVED = 1_588_948_614;
export const SERIAL = 'ST-00000512';
export const HUB = 'HB-00013030';
export const TOKEN = 'd3b07384-token';

/** The values of a Tempest as the hub sends them. */
export const VALUES: readonly unknown[] = [
  OBSERVED,
  0.18,
  0.22,
  0.27,
  144,
  6,
  1017.57,
  22.37,
  50.26,
  328,
  0.03,
  3,
  0,
  0,
  0,
  0,
  2.41,
  1,
];

/** The values of an observation, with other values at some places. */
export function valuesWith(changes: Readonly<Record<number, unknown>>): unknown[] {
  return VALUES.map((value, index) => (Object.hasOwn(changes, index) ? changes[index] : value));
}

/** A message of the hub with one observation. */
export function observation(changes: Readonly<Record<number, unknown>> = {}): unknown {
  return {
    serial_number: SERIAL,
    type: 'obs_st',
    hub_sn: HUB,
    obs: [valuesWith(changes)],
    firmware_revision: 129,
  };
}

/** A simulated service with the observations of one device, whose number is 1110. `answer` replaces its replies. */
export interface TempestService extends HttpDevice {
  answer(reply: DeviceReply | undefined): void;
}

/**
 * @param times of the observations, in seconds since 1970-01-01T00:00:00Z
 * @param changesAt the values of an observation that differ from `VALUES`
 */
export async function tempestService(
  times: Made<readonly number[]>,
  changesAt: (time: number) => Readonly<Record<number, unknown>> = () => ({ 12: 0.2, 13: 1 }),
): Promise<TempestService> {
  let fixed: DeviceReply | undefined;
  const success = { status_code: 0, status_message: 'SUCCESS' };
  const refuse = (status: number, message: string): DeviceReply => ({
    status,
    body: { status: { status_code: status, status_message: message } },
  });
  const service = await httpDevice(({ path }) => {
    if (fixed !== undefined) return fixed;
    const { pathname, searchParams } = new URL(path, 'http://service');
    if (searchParams.get('token') !== TOKEN) return refuse(401, 'UNAUTHORIZED');
    if (pathname === '/swd/rest/stations') return { body: { status: success, stations: STATIONS } };
    if (pathname !== '/swd/rest/observations/device/1110') return refuse(404, 'NOT FOUND');
    const [from, to] = [searchParams.get('time_start'), searchParams.get('time_end')];
    const found =
      from === null
        ? made(times).slice(-1)
        : made(times).filter((time) => time >= Number(from) && time <= Number(to));
    // The service adds the rain of the day and the corrected rain.
    const obs = found.map((time) => [...valuesWith({ 0: time, ...changesAt(time) }), 4.2, null, null, 0]);
    return { body: { status: success, device_id: 1110, type: 'obs_st', source: 'db', obs } };
  });
  return {
    ...service,
    answer: (reply) => {
      fixed = reply;
    },
  };
}

const STATIONS = [
  {
    station_id: 690,
    devices: [
      { device_id: 1109, device_type: 'HB', serial_number: HUB },
      { device_id: 1110, device_type: 'ST', serial_number: SERIAL },
      { device_id: 1111, device_type: 'ST', serial_number: 'ST-00000999' },
    ],
  },
];
