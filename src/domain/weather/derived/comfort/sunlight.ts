import { type QuantityInputs, within } from '../quantity.js';
import { sineOfAltitude, SOLAR_CONSTANT, sunAt } from '../solar.js';

/** Sine of 0.5°: the direct beam of a lower sun is unknown. */
const MIN_SUN = Math.sin((0.5 * Math.PI) / 180);
/**
 * Liljegren et al. (2008), J. Occup. Environ. Hyg. 5, equation 13: largest ratio of global to extraterrestrial radiation, largest share
 * of the beam.
 */
const CLEAREST = 0.85;
const MAX_BEAM = 0.9;
/** W/m²: the physically possible limits of global radiation. A pyranometer shows down to -4 at night. */
const RADIATION = { min: -4, max: 1600 } as const;

export interface Sunlight {
  /** Global radiation, W/m²; not negative. */
  readonly radiation: number;
  /** Estimated share of the direct beam in it, 0 to 1. */
  readonly direct: number;
  /** Estimated radiation of the direct beam on a plane that faces the sun, W/m². */
  readonly beam: number;
  /** Sine of the altitude of the sun. */
  readonly altitude: number;
}

/** Global radiation, divided into the direct beam and the rest by the position of the sun. Undefined if something is unknown. */
export function sunlightOf({ radiation, time, latitude, longitude }: QuantityInputs): Sunlight | undefined {
  if (!within(radiation, RADIATION.min, RADIATION.max)) return undefined;
  const sun = sunAt(time, longitude);
  const altitude = sineOfAltitude(sun, latitude);
  if (Number.isNaN(altitude)) return undefined;
  if (altitude <= MIN_SUN || radiation <= 0) {
    return { radiation: Math.max(0, radiation), direct: 0, beam: 0, altitude };
  }
  const outside = SOLAR_CONSTANT * sun.inverseDistance;
  const clearness = Math.min(CLEAREST, radiation / (outside * altitude));
  const direct = Math.min(MAX_BEAM, Math.exp(3 - 1.34 * clearness - 1.65 / clearness));
  return { radiation, direct, beam: direct * clearness * outside, altitude };
}
