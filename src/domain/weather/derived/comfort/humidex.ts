import { V } from '../../variables.js';
import { type DerivedQuantity, within } from '../quantity.js';
import { dewPointOf } from '../vapour.js';

export const humidex: DerivedQuantity = {
  name: 'humidex',
  unit: '°C',
  formula: 'Masterton and Richardson (1979), Environment Canada',
  validity: 'temperature from 20 to 55 °C, results not below the temperature (dew points from 7 °C on)',
  inputs: [V.temperature, V.dewPoint, V.humidity],
  compute: (conditions) => {
    const { temperature } = conditions;
    if (!within(temperature, 20, 55)) return Number.NaN;
    const pressure = 6.11 * Math.exp(5417.753 * (1 / 273.16 - 1 / (273.15 + dewPointOf(conditions))));
    const excess = (5 / 9) * (pressure - 10);
    return excess >= 0 ? temperature + excess : Number.NaN;
  },
};
