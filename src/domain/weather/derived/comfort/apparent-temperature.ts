import { V } from '../../variables.js';
import { type DerivedQuantity, within } from '../quantity.js';
import { relativeHumidity } from '../vapour.js';

export const apparentTemperature: DerivedQuantity = {
  name: 'apparent_temperature',
  unit: '°C',
  formula: 'Steadman (1994), without radiation: Australian Bureau of Meteorology',
  validity: 'temperature from -40 to 60 °C, wind up to 20 m/s',
  inputs: [V.temperature, V.humidity, V.dewPoint, V.windSpeed],
  compute: (conditions) => {
    const { temperature, windSpeed } = conditions;
    if (!within(temperature, -40, 60) || !within(windSpeed, 0, 20)) return Number.NaN;
    const saturation = 6.105 * Math.exp((17.27 * temperature) / (237.7 + temperature));
    const pressure = (relativeHumidity(conditions) / 100) * saturation;
    return temperature + 0.33 * pressure - 0.7 * windSpeed - 4;
  },
};
