import { V } from '../../variables.js';
import { type DerivedQuantity, within } from '../quantity.js';
import { MAGNUS, vaporPressure } from '../vapor.js';
import { WIND_HEIGHT_TEXT, windAtTenMeters } from '../wind-profile.js';
import { meanRadiantTemperature } from './mean-radiant-temperature.js';
import { sunlightOf } from './sunlight.js';
import { UTCI_COEFFICIENTS } from './utci-coefficients.js';

/** Degree of the polynomial. */
const DEGREE = 6;

export const universalThermalClimateIndex: DerivedQuantity = {
  name: 'universal_thermal_climate_index',
  unit: '°C',
  decimals: 1,
  formula:
    'UTCI, polynomial of the operational procedure: Bröde et al. (2012), Int. J. Biometeorol. 56; mean radiant temperature of a standing person ' +
    'over grass, estimated from global radiation (direct part by Liljegren et al., 2008) by VDI 3787, part 2, with long-wave radiation ' +
    `from bodies at air temperature; wind at 10 m, ${WIND_HEIGHT_TEXT}`,
  validity:
    'temperature from -45 to 50 °C, wind at 10 m from 0.5 to 17 m/s, vapor pressure up to 50 hPa, mean radiant temperature up to 70 °C above ' +
    'the air temperature, radiation from 0 (-4 at night) to 1600 W/m²',
  inputs: [V.temperature, V.humidity, V.dewPoint, V.windSpeed, V.radiation],
  compute: (conditions) => {
    const { temperature } = conditions;
    const sunlight = sunlightOf(conditions);
    if (sunlight === undefined || temperature < MAGNUS.min) return Number.NaN;
    const radiant = meanRadiantTemperature(temperature, sunlight);
    const wind = windAtTenMeters(conditions.windSpeed, conditions.windHeight);
    return utciOf(temperature, radiant, wind, vaporPressure(conditions));
  },
};

/**
 * UTCI in °C; NaN outside of the ranges of the polynomial.
 *
 * @param temperature temperature of the air, °C
 * @param radiant mean radiant temperature, °C
 * @param wind wind speed at 10 m, m/s
 * @param vapor vapor pressure, hPa
 */
export function utciOf(temperature: number, radiant: number, wind: number, vapor: number): number {
  const radiation = radiant - temperature;
  const isInRange =
    within(temperature, -50, 50) &&
    within(radiation, -30, 70) &&
    within(wind, 0.5, 17) &&
    within(vapor, 0, 50);
  if (!isInRange) return Number.NaN;
  let index = 0;
  let sum = temperature;
  let vaporFactor = 1;
  for (let p = 0; p <= DEGREE; p += 1) {
    let radiationFactor = vaporFactor;
    for (let r = 0; r <= DEGREE - p; r += 1) {
      let windFactor = radiationFactor;
      for (let w = 0; w <= DEGREE - p - r; w += 1) {
        let product = windFactor;
        for (let t = 0; t <= DEGREE - p - r - w; t += 1) {
          sum += (UTCI_COEFFICIENTS[index] as number) * product;
          index += 1;
          product *= temperature;
        }
        windFactor *= wind;
      }
      radiationFactor *= radiation;
    }
    // The polynomial takes the vapor pressure in kPa.
    vaporFactor *= vapor / 10;
  }
  return sum;
}
