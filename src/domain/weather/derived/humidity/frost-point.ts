import { V } from '../../variables.js';
import { type DerivedQuantity, within } from '../quantity.js';
import { MAGNUS, saturationTemperature, vaporPressure } from '../vapor.js';

export const frostPoint: DerivedQuantity = {
  name: 'frost_point',
  unit: '°C',
  formula: 'Magnus over ice, inverted: WMO-No. 8 (2018), annex 4.B',
  validity:
    'frost points from -65 to 0 °C, temperature from -45 to 60 °C; below 0 °C it may exceed the temperature, because air can be ' +
    'supersaturated over ice',
  inputs: [V.temperature, V.humidity, V.dewPoint],
  compute: (conditions) => {
    if (!within(conditions.temperature, MAGNUS.min, MAGNUS.max)) return Number.NaN;
    const point = saturationTemperature(vaporPressure(conditions), 'ice');
    return within(point, -65, 0) ? point : Number.NaN;
  },
};
