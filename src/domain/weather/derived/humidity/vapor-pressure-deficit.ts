import { V } from '../../variables.js';
import { type DerivedQuantity, within } from '../quantity.js';
import { MAGNUS, relativeHumidity } from '../vapor.js';

/** Saturation vapor pressure, kPa: FAO-56, equation 11. @param temperature °C */
export function faoSaturation(temperature: number): number {
  return 0.6108 * Math.exp((17.27 * temperature) / (temperature + 237.3));
}

export const vaporPressureDeficit: DerivedQuantity = {
  name: 'vapour_pressure_deficit',
  unit: 'kPa',
  standardName: 'water_vapor_saturation_deficit_in_air',
  decimals: 3,
  formula: 'FAO Irrigation and Drainage Paper 56 (1998), equations 11 and 17 at an instant',
  validity: 'temperature from -45 to 60 °C, relative humidity from 0 to 100 %',
  inputs: [V.temperature, V.humidity, V.dewPoint],
  compute: (conditions) => {
    const { temperature } = conditions;
    if (!within(temperature, MAGNUS.min, MAGNUS.max)) return Number.NaN;
    return faoSaturation(temperature) * (1 - relativeHumidity(conditions) / 100);
  },
};
