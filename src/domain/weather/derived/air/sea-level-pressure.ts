import { V } from '../../variables.js';
import { reductionToSeaLevel, STATION_PRESSURE } from '../barometry.js';
import { type QuantityInputs, type DerivedQuantity, within } from '../quantity.js';

const INPUTS = [V.pressure, V.temperature, V.humidity, V.dewPoint];
const FORMULA =
  'reduction with the mean virtual temperature of the column: WMO-No. 8 (2018), chapter 3, equation 3.2, with';
const VALIDITY = 'stations from -500 to 750 m, temperature from -45 to 60 °C, pressure from 500 to 1100 hPa';

export const seaLevelPressure: DerivedQuantity = {
  name: 'sea_level_pressure',
  unit: 'hPa',
  standardName: 'air_pressure_at_mean_sea_level',
  formula: `the stored pressure at sea level, otherwise: ${FORMULA} the temperature at that time`,
  validity: `computed: ${VALIDITY}; stored: any station`,
  inputs: [...INPUTS, V.seaLevelPressure],
  stored: V.seaLevelPressure,
  compute: (conditions) => {
    const { seaLevelPressure: known, temperature } = conditions;
    return Number.isNaN(known) ? reduce(conditions, temperature) : known;
  },
};

/**
 * Pressure at sea level by the US practice: Federal Meteorological Handbook No. 1. The mean of two temperatures, twelve hours
 * apart, reduces the effect of the daily cycle of the temperature. A stored pressure at sea level is not used, because it is
 * unknown by which practice it was computed.
 */
export const seaLevelPressure12h: DerivedQuantity = {
  name: 'sea_level_pressure_12h',
  unit: seaLevelPressure.unit,
  standardName: 'air_pressure_at_mean_sea_level',
  formula: `${FORMULA} the mean of the temperature at that time and twelve hours before (US practice)`,
  validity: `${VALIDITY}; a temperature stored from 11:30 to 12:30 hours before`,
  inputs: INPUTS,
  needsEarlier: true,
  compute: (conditions) => reduce(conditions, (conditions.temperature + conditions.temperatureBefore) / 2),
};

function reduce(conditions: QuantityInputs, temperature: number): number {
  const { pressure } = conditions;
  if (!within(pressure, STATION_PRESSURE.min, STATION_PRESSURE.max)) return Number.NaN;
  return pressure * reductionToSeaLevel(conditions, temperature);
}
