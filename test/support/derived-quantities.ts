import { DERIVED } from '#domain/weather/derived/quantities.js';
import type { QuantityInputs, DerivedQuantity } from '#domain/weather/derived/quantity.js';

/** Unknown conditions. Only the height of the wind sensor has a value: the default of 10 m. */
export const NOTHING: QuantityInputs = {
  time: Number.NaN,
  temperature: Number.NaN,
  temperatureBefore: Number.NaN,
  dewPoint: Number.NaN,
  humidity: Number.NaN,
  pressure: Number.NaN,
  seaLevelPressure: Number.NaN,
  windSpeed: Number.NaN,
  windHeight: 10,
  radiation: Number.NaN,
  pm2p5: Number.NaN,
  pm10: Number.NaN,
  elevation: Number.NaN,
  latitude: Number.NaN,
  longitude: Number.NaN,
};

/** Finds a derived quantity. @throws Error for an unknown name */
export function derivedNamed(name: string): DerivedQuantity {
  const quantity = DERIVED.find((candidate) => candidate.name === name);
  if (quantity === undefined) throw new Error(`The derived quantity ${name} does not exist.`);
  return quantity;
}

/** Computes a quantity from the given conditions; all other conditions are unknown. */
export function derive(name: string, conditions: Partial<QuantityInputs>): number {
  return derivedNamed(name).compute({ ...NOTHING, ...conditions });
}
