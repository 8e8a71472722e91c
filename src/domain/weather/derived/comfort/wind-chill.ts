import { V } from '../../variables.js';
import { type DerivedQuantity, within } from '../quantity.js';
import { WIND_HEIGHT_TEXT, windAtTenMeters } from '../wind-profile.js';

/** Wind speed in km/h. For a lower wind speed, at temperatures up to 0 °C, Environment Canada uses a formula for light wind. */
const LIGHT_WIND = 5;
/**
 * Wind speed in km/h (3 mph). The common formula of Environment Canada and the US National Weather Service is valid above this
 * wind speed.
 */
const MIN_WIND = 3 * 1.609344 + 1e-9;

export const windChill: DerivedQuantity = {
  name: 'wind_chill',
  unit: '°C',
  standardName: 'wind_chill_of_air_temperature',
  formula:
    'US National Weather Service and Environment Canada (2001); below 5 km/h and up to 0 °C, the formula of Environment Canada for light wind, ' +
    `T + (-1.59 + 0.1345 T) V / 5; wind at 10 m, ${WIND_HEIGHT_TEXT}`,
  validity:
    'temperature from -80 to 10 °C (charts of both agencies end at -50 °C), wind at 10 m above 3 mph (4.83 km/h); up to 0 °C any wind',
  inputs: [V.temperature, V.windSpeed],
  compute: ({ temperature, windSpeed, windHeight }) => {
    const speed = windAtTenMeters(windSpeed, windHeight) * 3.6;
    if (!within(temperature, -80, 10) || !(speed >= 0)) return Number.NaN;
    if (temperature <= 0 && speed < LIGHT_WIND) {
      return temperature + ((-1.59 + 0.1345 * temperature) / 5) * speed;
    }
    if (!(speed > MIN_WIND)) return Number.NaN;
    const power = speed ** 0.16;
    return 13.12 + 0.6215 * temperature - 11.37 * power + 0.3965 * temperature * power;
  },
};
