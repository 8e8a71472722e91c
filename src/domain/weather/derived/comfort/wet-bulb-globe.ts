import { V } from '../../variables.js';
import { LIKELY_PRESSURE_TEXT, likelyPressure } from '../barometry.js';
import { type DerivedQuantity, KELVIN, within } from '../quantity.js';
import { relativeHumidity } from '../vapor.js';
import { WIND_HEIGHT_TEXT, windAtTwoMeters } from '../wind-profile.js';
import { globeTemperature, naturalWetBulb, saturationOverWater } from './liljegren.js';
import { sunlightOf } from './sunlight.js';

export const wetBulbGlobeTemperature: DerivedQuantity = {
  name: 'wet_bulb_globe_temperature',
  unit: '°C',
  formula:
    '0.7 natural wet bulb + 0.2 black globe + 0.1 air: Liljegren et al. (2008), J. Occup. Environ. Hyg. 5, with global radiation, its direct ' +
    `part by equation 13, and wind reduced to 2 m ${WIND_HEIGHT_TEXT}. ${LIKELY_PRESSURE_TEXT}`,
  validity:
    'temperature from -10 to 60 °C, relative humidity above 0 and up to 100 %, wind up to 40 m/s, radiation from 0 (-4 at night) to 1600 W/m²',
  inputs: [V.temperature, V.humidity, V.dewPoint, V.pressure, V.seaLevelPressure, V.windSpeed, V.radiation],
  compute: (conditions) => {
    const { temperature, windSpeed } = conditions;
    const humidity = relativeHumidity(conditions);
    const pressure = likelyPressure(conditions);
    const sunlight = sunlightOf(conditions);
    const inRange = within(temperature, -10, 60) && within(windSpeed, 0, 40);
    if (!inRange || sunlight === undefined || !(humidity > 0) || Number.isNaN(pressure)) return Number.NaN;
    const kelvin = temperature + KELVIN;
    const exposure = {
      ...sunlight,
      temperature: kelvin,
      vapor: (saturationOverWater(kelvin) * humidity) / 100,
      pressure,
      wind: windAtTwoMeters(windSpeed, conditions.windHeight),
    };
    return 0.7 * naturalWetBulb(exposure) + 0.2 * globeTemperature(exposure) + 0.1 * temperature;
  },
};
