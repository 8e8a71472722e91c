import { type QuantityInputs, within } from '../quantity.js';
import { sineOfAltitude, SOLAR_CONSTANT, sunAt } from '../solar.js';

/** Sine of 0.5°, the smallest altitude of the sun at which the direct beam is estimated. */
const MIN_SUN = Math.sin((0.5 * Math.PI) / 180);
/**
 * `MAX_CLEARNESS`: largest ratio of global to extraterrestrial radiation. `MAX_BEAM`: largest share of the direct beam. Both are
 * from Liljegren et al. (2008), J. Occup. Environ. Hyg. 5, equation 13.
 */
const MAX_CLEARNESS = 0.85;
const MAX_BEAM = 0.9;
/** The physically possible limits of global radiation, W/m². A pyranometer may show -4 at night. */
const RADIATION = { min: -4, max: 1600 } as const;

export interface Sunlight {
  /** Global radiation, W/m²; not negative. */
  readonly radiation: number;
  /** Estimated share of the direct beam in the global radiation, 0 to 1. */
  readonly direct: number;
  /** Estimated radiation of the direct beam on a plane that faces the sun, W/m². */
  readonly beam: number;
  /** Sine of the altitude of the sun. */
  readonly altitude: number;
}

/**
 * Divides global radiation into the direct beam and diffuse radiation, by the position of the sun.
 *
 * @returns undefined if the radiation or the position of the sun is unknown, or if the radiation is not possible
 */
export function sunlightOf({ radiation, time, latitude, longitude }: QuantityInputs): Sunlight | undefined {
  if (!within(radiation, RADIATION.min, RADIATION.max)) return undefined;
  const sun = sunAt(time, longitude);
  const altitude = sineOfAltitude(sun, latitude);
  if (Number.isNaN(altitude)) return undefined;
  if (altitude <= MIN_SUN || radiation <= 0) {
    return { radiation: Math.max(0, radiation), direct: 0, beam: 0, altitude };
  }
  const outside = SOLAR_CONSTANT * sun.inverseDistance;
  const clearness = Math.min(MAX_CLEARNESS, radiation / (outside * altitude));
  const direct = Math.min(MAX_BEAM, Math.exp(3 - 1.34 * clearness - 1.65 / clearness));
  return { radiation, direct, beam: direct * clearness * outside, altitude };
}
