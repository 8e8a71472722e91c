import { V } from '../../variables.js';
import { STATION_PRESSURE_TEXT, stationPressure } from '../barometry.js';
import { type DerivedQuantity, KELVIN, within } from '../quantity.js';
import { MAGNUS, vaporPressure } from '../vapor.js';

/** Specific gas constants of dry air and of water vapor, J/(kg K). */
const DRY = 287.055;
const VAPOR = 461.525;

export const airDensity: DerivedQuantity = {
  name: 'air_density',
  unit: 'kg/m³',
  standardName: 'air_density',
  decimals: 4,
  formula: `ideal gas law of dry air and of water vapor: WMO-No. 8 (2018), annex 4.A. ${STATION_PRESSURE_TEXT}`,
  validity: 'temperature from -45 to 60 °C, relative humidity from 0 to 100 %, pressure from 500 to 1100 hPa',
  inputs: [V.temperature, V.humidity, V.dewPoint, V.pressure, V.seaLevelPressure],
  compute: (conditions) => {
    const { temperature } = conditions;
    if (!within(temperature, MAGNUS.min, MAGNUS.max)) return Number.NaN;
    const vapor = vaporPressure(conditions);
    const dry = stationPressure(conditions) - vapor;
    return (100 * (dry / DRY + vapor / VAPOR)) / (KELVIN + temperature);
  },
};
