import { V } from '../../variables.js';
import { type DerivedQuantity, within } from '../quantity.js';
import { dewPointOf } from '../vapor.js';

/** Limits of the table of the Meteorological Service of Canada: largest temperature in °C, and largest humidex before rounding. */
const TABLE = { temperature: 43, humidex: 58.5 } as const;

export const humidex: DerivedQuantity = {
  name: 'humidex',
  unit: '°C',
  formula: 'Masterton and Richardson (1979), Environment Canada',
  validity:
    'temperature from 20 °C to 43 °C, where the table of the Meteorological Service of Canada ends; results not below the temperature ' +
    '(dew points from 7 °C on), and below 58.5, which this table rounds to 58, its largest value',
  inputs: [V.temperature, V.dewPoint, V.humidity],
  compute: (conditions) => {
    const { temperature } = conditions;
    if (!within(temperature, 20, TABLE.temperature)) return Number.NaN;
    const pressure = 6.11 * Math.exp(5417.753 * (1 / 273.16 - 1 / (273.15 + dewPointOf(conditions))));
    const excess = (5 / 9) * (pressure - 10);
    return within(excess, 0, TABLE.humidex - temperature) ? temperature + excess : Number.NaN;
  },
};
