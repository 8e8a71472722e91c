import { V } from '../../variables.js';
import { likelyPressure } from '../barometry.js';
import { type DerivedQuantity, KELVIN, within } from '../quantity.js';
import { sineOfAltitude, sunAt, windAtTwoMetres } from '../solar.js';
import { relativeHumidity } from '../vapour.js';
import { globeTemperature, naturalWetBulb, saturationOverWater } from './liljegren.js';

/** W/m². */
const SOLAR_CONSTANT = 1367;
/** Sine of 0.5°: the direct beam of a lower sun is unknown. */
const LOWEST_SUN = Math.sin((0.5 * Math.PI) / 180);
/** Liljegren et al. (2008), equation 13: largest ratio of global to extraterrestrial radiation, largest share of the beam. */
const CLEAREST = 0.85;
const LARGEST_BEAM = 0.9;

export const wetBulbGlobeTemperature: DerivedQuantity = {
  name: 'wet_bulb_globe_temperature',
  unit: '°C',
  formula:
    '0.7 natural wet bulb + 0.2 black globe + 0.1 air: Liljegren et al. (2008), J. Occup. Environ. Hyg. 5, with global radiation, its direct ' +
    'part by equation 13, and wind reduced from 10 m to 2 m by FAO-56, equation 47. An unknown station pressure is computed from that at ' +
    'sea level, otherwise it is that of the standard atmosphere at the elevation',
  validity:
    'temperature from -10 to 60 °C, relative humidity above 0 and up to 100 %, wind up to 40 m/s, radiation from 0 (-4 at night) to 1600 W/m²',
  inputs: [V.temperature, V.humidity, V.dewPoint, V.pressure, V.seaLevelPressure, V.windSpeed, V.radiation],
  compute: (conditions) => {
    const { temperature, windSpeed, time, longitude, latitude } = conditions;
    const humidity = relativeHumidity(conditions);
    const pressure = likelyPressure(conditions);
    const inRange =
      within(temperature, -10, 60) && within(windSpeed, 0, 40) && within(conditions.radiation, -4, 1600);
    if (!inRange || !(humidity > 0) || Number.isNaN(pressure)) return Number.NaN;
    const sun = sunAt(time, longitude);
    const altitude = sineOfAltitude(sun, latitude);
    if (Number.isNaN(altitude)) return Number.NaN;
    const radiation = Math.max(0, conditions.radiation);
    const beyond = SOLAR_CONSTANT * sun.inverseDistance * altitude;
    const kelvin = temperature + KELVIN;
    const exposure = {
      temperature: kelvin,
      vapour: (saturationOverWater(kelvin) * humidity) / 100,
      pressure,
      wind: windAtTwoMetres(windSpeed),
      radiation,
      direct: altitude > LOWEST_SUN && radiation > 0 ? directShare(radiation / beyond) : 0,
      altitude,
    };
    return 0.7 * naturalWetBulb(exposure) + 0.2 * globeTemperature(exposure) + 0.1 * temperature;
  },
};

/** Share of the direct beam in global radiation. @param clearness global radiation divided by that outside the atmosphere */
function directShare(clearness: number): number {
  const share = Math.min(clearness, CLEAREST);
  return Math.min(LARGEST_BEAM, Math.exp(3 - 1.34 * share - 1.65 / share));
}
