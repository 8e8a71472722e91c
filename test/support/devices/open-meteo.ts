import { MILLISECONDS } from '#domain/time.js';
import { type HttpDevice, httpDevice } from './http-device.js';

export interface OpenMeteoOptions {
  /** The time of the service, in milliseconds since 1970-01-01T00:00:00Z. Default: that of the machine. */
  readonly now?: () => number;
  /** The value of a variable at an hour in seconds since 1970-01-01T00:00:00Z; null for none. Default: temperatures alone. */
  readonly value?: (name: string, seconds: number) => number | null;
}

const temperatures = (name: string, seconds: number) =>
  name.startsWith('temperature_2m') ? 5 + (seconds % 7) / 10 : null;

/** A service that answers as Open-Meteo does: forecasts, and previous runs. */
export async function openMeteoService({
  now = Date.now,
  value = temperatures,
}: OpenMeteoOptions = {}): Promise<HttpDevice> {
  const dateIn = (text: string | null) =>
    text === null ? Math.floor(now() / MILLISECONDS.day) * MILLISECONDS.day : Date.parse(text);
  return await httpDevice(({ path }) => {
    const { pathname, searchParams } = new URL(path, 'http://localhost');
    if (!pathname.endsWith('/v1/forecast')) return undefined;
    const from = dateIn(searchParams.get('start_date'));
    const to = searchParams.has('end_date')
      ? dateIn(searchParams.get('end_date')) + MILLISECONDS.day
      : from + Number(searchParams.get('forecast_days')) * MILLISECONDS.day;
    const time = Array.from(
      { length: (to - from) / MILLISECONDS.hour },
      (_, hour) => from / MILLISECONDS.second + hour * 3600,
    );
    const columns = (searchParams.get('hourly') ?? '')
      .split(',')
      .map((name) => [name, time.map((seconds) => value(name, seconds))] as const);
    return { body: { hourly: { time, ...Object.fromEntries(columns) } } };
  });
}
