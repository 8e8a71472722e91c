import { KELVIN } from '../quantity.js';
import type { Sunlight } from './sunlight.js';

/** Stefan-Boltzmann constant, W/(m² K⁴). */
const STEFAN_BOLTZMANN = 5.670374e-8;
/** Absorption of short-wave radiation and emissivity of a clothed person: VDI 3787, part 2. */
const PERSON = { absorption: 0.7, emissivity: 0.97 } as const;
/** Albedo of short grass: FAO-56 (1998), equation 38. */
const GROUND_ALBEDO = 0.23;

/**
 * Mean radiant temperature of a standing person in the open, °C: VDI 3787, part 2, and Di Napoli et al. (2020), Int. J.
 * Biometeorol. 64, 1233-1245. The person receives half of the diffuse radiation, half of the reflected radiation, and the direct
 * beam on the projected area of the person.
 *
 * Stations do not measure long-wave radiation, so sky and ground are assumed to radiate like bodies at the temperature of the
 * air. By day the error is small, because the sky is colder and the ground is warmer than the air. On a clear night the true mean
 * radiant temperature is up to 10 K lower than the result.
 *
 * @param temperature temperature of the air, °C
 */
export function meanRadiantTemperature(temperature: number, { radiation, beam, altitude }: Sunlight): number {
  const diffuse = Math.max(0, radiation - beam * altitude);
  const sun = 0.5 * (diffuse + GROUND_ALBEDO * radiation) + projectedArea(altitude) * beam;
  const absorbed = (PERSON.absorption / PERSON.emissivity) * sun;
  return ((temperature + KELVIN) ** 4 + absorbed / STEFAN_BOLTZMANN) ** 0.25 - KELVIN;
}

/**
 * Projected area of a standing person towards the sun, as a share of the body surface: Fanger (1970), VDI 3787.
 *
 * @param altitude sine of the altitude of the sun
 */
function projectedArea(altitude: number): number {
  const degrees = (Math.asin(Math.min(1, Math.max(0, altitude))) * 180) / Math.PI;
  return 0.308 * Math.cos((degrees * (1 - degrees ** 2 / 48_402) * Math.PI) / 180);
}
