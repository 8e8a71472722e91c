import { V } from '../../variables.js';
import { LIKELY_PRESSURE_TEXT, likelyPressure } from '../barometry.js';
import { type DerivedQuantity, within } from '../quantity.js';
import { MAGNUS, vaporPressure } from '../vapor.js';

/** Molecular mass of water vapor divided by the molecular mass of dry air. */
export const EPSILON = 0.62198;

export const mixingRatio: DerivedQuantity = {
  name: 'mixing_ratio',
  unit: 'g/kg',
  standardName: 'humidity_mixing_ratio',
  decimals: 3,
  formula: `grams of water vapor per kilogram of dry air, 0.62198 e / (p - e): WMO-No. 8 (2018), annex 4.A. ${LIKELY_PRESSURE_TEXT}`,
  validity: 'temperature from -45 to 60 °C, relative humidity from 0 to 100 %, pressure from 500 to 1100 hPa',
  inputs: [V.temperature, V.humidity, V.dewPoint, V.pressure, V.seaLevelPressure],
  compute: (conditions) => {
    if (!within(conditions.temperature, MAGNUS.min, MAGNUS.max)) return Number.NaN;
    const vapor = vaporPressure(conditions);
    return (1000 * EPSILON * vapor) / (likelyPressure(conditions) - vapor);
  },
};
