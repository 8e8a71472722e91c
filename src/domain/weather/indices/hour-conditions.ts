import { MILLISECONDS } from '#domain/time.js';
import type { QuantityInputs } from '../derived/quantity.js';
import type { HourlyInput, IndexHours } from './station-index.js';

/** The inputs of `conditionsAt`, which a formula of an instant may need. */
export const CONDITIONS = [
  'temperature',
  'dewPoint',
  'humidity',
  'pressure',
  'seaLevelPressure',
  'windSpeed',
  'radiation',
] as const satisfies readonly HourlyInput[];

/** The means of an hour as inputs of a formula of an instant, which is the middle of the hour. */
export function conditionsAt({ siteAt, starts, of }: IndexHours, hour: number): QuantityInputs {
  const value = (input: (typeof CONDITIONS)[number]) => of(input)[hour] as number;
  return {
    ...siteAt(hour),
    time: (starts[hour] as number) + HALF_AN_HOUR,
    temperature: value('temperature'),
    temperatureBefore: Number.NaN,
    dewPoint: value('dewPoint'),
    humidity: value('humidity'),
    pressure: value('pressure'),
    seaLevelPressure: value('seaLevelPressure'),
    windSpeed: value('windSpeed'),
    radiation: value('radiation'),
    pm2p5: Number.NaN,
    pm10: Number.NaN,
  };
}

const HALF_AN_HOUR = MILLISECONDS.hour / 2;
