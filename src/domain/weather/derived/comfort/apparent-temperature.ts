import { V } from '../../variables.js';
import { type DerivedQuantity, within } from '../quantity.js';
import { relativeHumidity } from '../vapor.js';
import { WIND_HEIGHT_TEXT, windAtTenMeters } from '../wind-profile.js';

/**
 * Saturation vapor pressure in hPa at 35 °C, the temperature of skin. The model assumes that sweat evaporates. If the vapor
 * pressure of the air is higher, sweat does not evaporate.
 */
const MAX_VAPOR_PRESSURE = 56;

export const apparentTemperature: DerivedQuantity = {
  name: 'apparent_temperature',
  unit: '°C',
  formula: `Steadman (1994), without radiation: Australian Bureau of Meteorology; wind at 10 m, ${WIND_HEIGHT_TEXT}`,
  validity:
    'temperature from -40 to 50 °C, where the table of Steadman (1979) ends; vapor pressure up to 56 hPa, the saturation pressure at 35 °C; ' +
    'wind at 10 m up to 20 m/s',
  inputs: [V.temperature, V.humidity, V.dewPoint, V.windSpeed],
  compute: (conditions) => {
    const { temperature } = conditions;
    const wind = windAtTenMeters(conditions.windSpeed, conditions.windHeight);
    if (!within(temperature, -40, 50) || !within(wind, 0, 20)) return Number.NaN;
    const saturation = 6.105 * Math.exp((17.27 * temperature) / (237.7 + temperature));
    const pressure = (relativeHumidity(conditions) / 100) * saturation;
    return pressure <= MAX_VAPOR_PRESSURE ? temperature + 0.33 * pressure - 0.7 * wind - 4 : Number.NaN;
  },
};
