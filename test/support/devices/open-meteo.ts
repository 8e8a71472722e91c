import { MILLISECONDS } from '#domain/time.js';
import { type HttpDevice, httpDevice } from './http-device.js';

/** Milliseconds since 1970-01-01T00:00:00Z of a date of a query, or of today. */
const dateIn = (text: string | null) =>
  text === null ? Math.floor(Date.now() / MILLISECONDS.day) * MILLISECONDS.day : Date.parse(text);

/** A service that answers as Open-Meteo does: forecasts of temperatures, and previous runs. */
export async function openMeteoService(): Promise<HttpDevice> {
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
    const columns = (searchParams.get('hourly') ?? '').split(',').map((name) => {
      const isTemperature = name.startsWith('temperature_2m');
      return [name, time.map((seconds) => (isTemperature ? 5 + (seconds % 7) / 10 : null))] as const;
    });
    return { body: { hourly: { time, ...Object.fromEntries(columns) } } };
  });
}
