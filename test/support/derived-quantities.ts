import { DERIVED } from '#domain/weather/derived/quantities.js';
import type { QuantityInputs, DerivedQuantity } from '#domain/weather/derived/quantity.js';

/** Conditions of which nothing is known, except that wind is measured at the height that is assumed where it is unknown. */
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
  elevation: Number.NaN,
  latitude: Number.NaN,
  longitude: Number.NaN,
};

/** @throws Error for an unknown name */
export function derivedNamed(name: string): DerivedQuantity {
  const quantity = DERIVED.find((candidate) => candidate.name === name);
  if (quantity === undefined) throw new Error(`there is no ${name}`);
  return quantity;
}

/** The value of a quantity where only the given conditions are known. */
export function derive(name: string, conditions: Partial<QuantityInputs>): number {
  return derivedNamed(name).compute({ ...NOTHING, ...conditions });
}
