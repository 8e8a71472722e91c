import type { Newest } from '../station-state.js';
import type { Station } from '../station.js';
import { V } from '../variables.js';
import { verdictOf } from '../series.js';
import { apparentTemperature } from './comfort/apparent-temperature.js';
import { dewPoint } from './humidity/dew-point.js';
import type { DerivedQuantity, QuantityInputs } from './quantity.js';
import { anemometerHeight } from './wind-profile.js';

/** The quantities that newest values can include besides `feels_like`. They need only values of the same row. */
const DERIVED_NOW: readonly DerivedQuantity[] = [dewPoint, apparentTemperature];

/** A derived quantity of the row with the newest temperature. */
export interface DerivedNow {
  readonly quantity: DerivedQuantity;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly time: number;
  readonly value: number;
}

/**
 * Computes derived quantities from the newest values of a station. As in a row, only values of one time that passed quality control are
 * used. A quantity that cannot be computed is left out.
 *
 * @param feelsLike the quantity `feels_like`
 * @param others the other quantities; none of them may need a temperature of another time
 */
export function derivedNow(
  station: Station,
  each: Newest['each'],
  feelsLike: DerivedQuantity,
  others: readonly DerivedQuantity[] = DERIVED_NOW,
): DerivedNow[] {
  const newest = new Map<number, { readonly time: number; readonly value: number }>();
  each((variable, at, value, flags) => {
    if (verdictOf(flags) === 'pass') newest.set(variable, { time: at, value });
  });
  const time = newest.get(V.temperature)?.time;
  if (time === undefined) return [];
  const inputs = inputsOf(station, time, (variable) => {
    const found = newest.get(variable);
    return found?.time === time ? found.value : Number.NaN;
  });
  return [...others, feelsLike]
    .map((quantity) => ({ quantity, time, value: quantity.compute(inputs) }))
    .filter(({ value }) => !Number.isNaN(value));
}

/**
 * The inputs of the quantities of one row. The temperature of twelve hours before is unknown.
 *
 * @param time milliseconds since 1970-01-01T00:00:00Z
 * @param at the value of a variable at this time; NaN if it is unknown or has not passed quality control
 */
export function inputsOf(
  { elevation, latitude, longitude, sensorHeights }: Station,
  time: number,
  at: (variable: number) => number,
): QuantityInputs {
  return {
    time,
    temperature: at(V.temperature),
    temperatureBefore: Number.NaN,
    dewPoint: at(V.dewPoint),
    humidity: at(V.humidity),
    pressure: at(V.pressure),
    seaLevelPressure: at(V.seaLevelPressure),
    windSpeed: at(V.windSpeed),
    windHeight: anemometerHeight(sensorHeights),
    radiation: at(V.radiation),
    pm2p5: at(V.pm2p5),
    pm10: at(V.pm10),
    elevation: elevation ?? Number.NaN,
    latitude,
    longitude,
  };
}
