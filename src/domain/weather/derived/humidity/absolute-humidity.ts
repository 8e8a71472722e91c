import { V } from '../../variables.js';
import { type DerivedQuantity, KELVIN, within } from '../quantity.js';
import { MAGNUS, vaporPressure } from '../vapor.js';

/** Factor in g K/(m³ hPa): 100 Pa/hPa · 1000 g/kg, divided by the specific gas constant of water vapor, 461.525 J/(kg K). */
const GRAMS = 1e5 / 461.525;

export const absoluteHumidity: DerivedQuantity = {
  name: 'absolute_humidity',
  unit: 'g/m³',
  standardName: 'mass_concentration_of_water_vapor_in_air',
  decimals: 3,
  formula: 'ideal gas law of water vapor: WMO-No. 8 (2018), annex 4.A, with 461.525 J/(kg K)',
  validity: 'temperature from -45 to 60 °C, relative humidity from 0 to 100 %',
  inputs: [V.temperature, V.humidity, V.dewPoint],
  compute: (conditions) => {
    const { temperature } = conditions;
    if (!within(temperature, MAGNUS.min, MAGNUS.max)) return Number.NaN;
    return (GRAMS * vaporPressure(conditions)) / (KELVIN + temperature);
  },
};
